// Prompts for the three most common tasks.
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { cellText } from './clean.ts'
import { validatorOf } from './validate.ts'

const promptTexts: readonly {
  name: string
  title: string
  description: string
  arguments: Record<string, { description: string; required: boolean }>
  write: (given: Record<string, string>) => string
}[] = [
  {
    name: 'screen_city_for_teardowns',
    title: 'Screen a city for teardowns',
    description: 'Ranks a city’s listings as teardowns and checks the best against envelope, cost and law.',
    arguments: {
      city: { description: 'City name', required: true },
      maxPrice: { description: 'Highest price in dollars', required: false },
    },
    write: ({ city, maxPrice }) =>
      `Screen ${city} for teardown candidates${maxPrice ? ` up to $${maxPrice}` : ''}.
1. get_coverage for ${city}: say how fresh the data is, and stop if the city is not covered.
2. find_properties for ${city} with kind teardown${maxPrice ? `, maxPrice ${maxPrice}` : ''} and limit 5: decision, price, return and SB 9 of each.
3. get_property_intelligence for the best three: what drives the score, the pro forma, the comparables, what is missing.
4. A table: address, price, teardown score, return after all costs, confidence, the main reason and the main risk; then which one to look at first and why.
Treat unknown as unknown, name the date of the data, and say that this is neither an appraisal nor legal advice.`,
  },
  {
    name: 'can_this_lot_be_split',
    title: 'Can this lot be split?',
    description: 'Checks one property against SB 9, with each rule that passes, fails or is unknown.',
    arguments: {
      address: { description: 'Street address, or a property id', required: true },
      city: { description: 'City', required: false },
    },
    write: ({ address, city }) =>
      `Can the lot at ${address}${city ? `, ${city},` : ''} be split under SB 9?
1. Find it: look_up_address. Unless the match is exact, ask which candidate is meant.
2. get_property_intelligence: its lot, zoning, price and the SB 9 result with each rule that blocks it or could not be tested.
3. list_adu_leads for its city if accessory units are an alternative.
4. Answer yes, likely, or no; cite the rule behind each block reason; list what could not be tested and who could tell (planning department, title report, survey).
This is not legal advice.`,
  },
  {
    name: 'what_changed_this_week',
    title: 'What changed this week?',
    description: 'New listings, price and status changes and new permits, in a city or in the default market.',
    arguments: { city: { description: 'City; the default market when left out', required: false } },
    write: ({ city }) =>
      `What changed in the last seven days ${city ? `in ${city}` : 'in the default market'}?
1. get_coverage${city ? ` for ${city}` : ''}: the newest record and last run of permits and listings, to distinguish a quiet week from stale data.
2. what_changed${city ? ` in ${city}` : ''}: new listings, price and status changes, permits of $500,000 or more; read every page.
3. search_permits${city ? ` in ${city}` : ''} with issuedFrom seven days ago: new houses, demolitions and additions first.
4. Report: what is new, what it points to (who builds where, which blocks turn over), and three properties worth opening, each with its id.`,
  },
]

export const registerPrompts = (server: McpServer): void => {
  for (const { name, title, description, arguments: named, write } of promptTexts) {
    const required = Object.keys(named).filter((argument) => named[argument]!.required)
    const properties = Object.fromEntries(
      Object.entries(named).map(([argument, { description }]) => [argument, { type: 'string', description }]),
    )
    const schema = { type: 'object' as const, properties, required }
    const argsSchema = fromJsonSchema<Record<string, string>>(schema, validatorOf(schema))
    server.registerPrompt(name, { title, description, argsSchema }, (given) => {
      const clean = Object.entries(given).map(([argument, value]) => [argument, cellText(String(value), 120)] as const)
      const text = write(Object.fromEntries(clean.filter(([, value]) => value !== '')))
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
    })
  }
}

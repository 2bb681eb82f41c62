import { expect, test } from 'vitest'
import { listTools } from '../../src/agent/tools.ts'
import { whyEmpty } from '../../src/agent/why-empty.ts'

test('an empty list of a market without that data set says so instead of asking to relax the criteria', async () => {
  const market = (dataset: string) => ({
    id: 'king-county',
    name: 'King County',
    aliases: [],
    cities: [],
    default: true,
    dataSets: [{ dataset, rows: 38_251, newestRecord: null, sample: false }],
  })
  const why = (dataset: string) => {
    const client = { listMarkets: async () => ({ data: [market(dataset)] }) }
    const tool = listTools.find((each) => each.dataset === 'listings')!
    return whyEmpty({ client: client as never, options: {} as never }, tool, { market: 'king-county' })
  }
  expect(await why('parcels')).toEqual({
    outcome: 'not_covered',
    text: 'King County has no listings loaded, only 38251 parcels. Homes that are not for sale have values: look one up by address, or search parcels and leads.',
  })
  expect(await why('listings')).toMatchObject({ outcome: 'nothing_matched' })
})

test('an empty list names the condition that emptied it, also a default, and never the order', async () => {
  const tool = listTools.find((each) => each.call === 'listAduLeads')!
  const why = async (funnel: { condition: string; remaining: number; wouldRemainWithout: number }[]) => {
    const client = { listMarkets: async () => ({ data: [] }), getCoverage: async () => ({ data: [] }) }
    const input = { city: 'Daly City', sort: ['-adu.economics.returnPct'] }
    const steps = funnel.map((step) => ({ ...step, unknown: 0 }))
    return (await whyEmpty({ client: client as never, options: {} as never }, tool, input, { funnel: steps })).text
  }
  const minScore = { condition: 'minScore=60', remaining: 3_200, wouldRemainWithout: 699 }
  expect(await why([minScore, { condition: 'city=daly-city', remaining: 0, wouldRemainWithout: 3_200 }])).toBe(
    'Nothing matched. Without minScore=60 (a default) there are 699; without city=daly-city there are 3200.',
  )
  expect(
    await why([
      { ...minScore, wouldRemainWithout: 0 },
      { condition: 'city=daly-city', remaining: 0, wouldRemainWithout: 0 },
    ]),
  ).toBe('Nothing matched. None is left after city=daly-city; removing one condition is not enough.')
  expect(await why([])).toBe('Nothing matched. Relax or remove: city.')
})

test('coverage of a city in no market is not covered', async () => {
  const tool = listTools.find((each) => each.call === 'getCoverage')!
  const cities = [{ name: 'Palo Alto', slug: 'palo-alto', aliases: [] }]
  const client = { listMarkets: async () => ({ data: [{ id: 'sf-peninsula', aliases: [], cities }] }) }
  const why = (input: object) => whyEmpty({ client: client as never, options: {} as never }, tool, { ...input })
  expect(await why({ city: 'Oakland' })).toEqual({
    outcome: 'not_covered',
    text: 'Oakland is not covered. The same call without city lists what is covered.',
  })
  for (const input of [{}, { city: 'Palo' }]) expect(await why(input)).toMatchObject({ outcome: 'nothing_matched' })
})

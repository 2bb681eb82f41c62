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

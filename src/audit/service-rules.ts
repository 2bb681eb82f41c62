// Labels of sample data, and pages that list homes.
import { marketRules, propertyRules, unless, unlessAll } from './rule.ts'

/** A record says it in its source, an aggregate in a field of its own. */
const saysSample = (record: object | undefined): boolean => {
  if (record === undefined) return true
  const { sample, source } = record as { sample?: boolean; source?: { sample?: boolean } }
  return sample === true || source?.sample === true
}

const labels = {
  detail: 'property',
  signal: 'market signal',
  lotSplit: 'SB 9 row',
  adu: 'ADU lead',
  redevelopment: 'redevelopment lead',
} as const

export const isForSale = (status: string | undefined): boolean => status === 'active' || status === 'coming_soon'

export const serviceRules = [
  ...propertyRules({
    'sample-labels: Every record and page built on generated data says so.': ({ sampleOnly, page, ...record }) =>
      sampleOnly
        ? [
            ...(['detail', 'signal', 'lotSplit', 'adu', 'redevelopment'] as const).flatMap((kind) =>
              unless(saysSample(record[kind]), `the ${labels[kind]} does not say that it is generated sample data`),
            ),
            ...unless(
              page === undefined || /sample data/i.test(page),
              'the page does not say that it shows sample data',
            ),
          ]
        : [],
  }),
  ...marketRules({
    'sample-accuracy: Accuracy measured on generated data says so.': ({ sampleOnly, accuracy }) =>
      sampleOnly
        ? accuracy.flatMap((row) =>
            unless(saysSample(row), `the accuracy of “${row.model}” does not say that it is of sample data`),
          )
        : [],
    'lists-lead-with-for-sale: Pages list homes that can be bought.': ({ pages, signals }) => {
      const statusOf = new Map(signals.map(({ id, status }) => [id, status]))
      return pages.flatMap(({ path, ids }) => {
        const known = ids.filter((id) => statusOf.has(id))
        const taken = known.filter((id) => !isForSale(statusOf.get(id)))
        return unless(taken.length === 0, `${taken.length} of the ${known.length} homes on ${path} cannot be bought`)
      })
    },
    'list-order: Market signals are ordered by rankScore, and each property appears once.': ({ signals, market }) => {
      const at = signals.findIndex(
        ({ rankScore }, index) =>
          index > 0 &&
          rankScore !== undefined &&
          rankScore > (signals[index - 1]!.rankScore ?? Number.NEGATIVE_INFINITY),
      )
      const ids = new Set(signals.map(({ id }) => id))
      return unlessAll({
        [`row ${at + 1} of the ${market} signals ranks above the row before it`]: at === -1,
        [`${signals.length - ids.size} properties are listed twice`]: ids.size === signals.length,
      })
    },
  }),
]

// Sources say where photos, links and URLs of their records may appear (`source.uses`). The tools leave them out unless that
// includes agents. An older service does not say: then a record with photos or links loses them.
import { at } from './table.ts'

const media: readonly string[] = ['listingUrl', 'photo', 'photos']

export const permitted = <Item extends object>(item: Item): Item => {
  const uses = at(item, 'source.uses')
  const isPermitted = Array.isArray(uses) ? uses.includes('agent') : !media.some((name) => name in item)
  if (isPermitted) return item
  const fields = Object.entries(item).filter(([name]) => !media.includes(name))
  // Many feeds give the listing page as the URL of the record.
  return Object.fromEntries(
    fields.map(([name, value]) => [name, name === 'source' ? { ...value, url: undefined } : value]),
  ) as Item
}

// Sources say where photos and links of their listings may appear (`source.uses`). The tools leave them out unless that includes
// agents, also when an older service does not say.
import { at } from './table.ts'

const media: readonly string[] = ['listingUrl', 'photo', 'photos']

export const permitted = <Item extends object>(item: Item): Item => {
  const uses = at(item, 'source.uses')
  if (!media.some((name) => name in item) || (Array.isArray(uses) && uses.includes('agent'))) return item
  const kept = Object.entries(item).filter(([name]) => !media.includes(name))
  // Many feeds give the listing page as the URL of the record.
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'source' ? { ...value, url: undefined } : value]),
  ) as Item
}

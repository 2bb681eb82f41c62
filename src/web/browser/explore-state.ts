// The state of the Explore page in the browser: the query of its URL. The list and the tiles are read with it.

/** Parameters of the area. */
const areaNames = ['bbox', 'area', 'lat', 'lng', 'radiusMi']
/** Parameters that do not change what is found. */
const viewNames = ['pick', 'follow', 'view', 'offset', 'sort', 'layer']

export const exploreState = () => {
  let query = new URLSearchParams(location.search)
  const keep = () => {
    const text = query.toString()
    history.replaceState(null, '', text ? `/explore?${text}` : '/explore')
  }
  return {
    get: (name: string): string | null => query.get(name),
    set: (name: string, value: string | undefined): void => {
      if (value === undefined) query.delete(name)
      else query.set(name, value)
      keep()
    },
    /** Replaces the area, and begins at the first page. */
    setArea: (area: Readonly<Record<string, string>>): void => {
      for (const name of [...areaNames, 'offset']) query.delete(name)
      for (const [name, value] of Object.entries(area)) query.set(name, value)
      keep()
    },
    /** The filters of the form, with the view as it is. */
    setForm: (fields: FormData): void => {
      const views = ['view', 'layer'].flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : []))
      query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]).concat(views))
      keep()
    },
    hasDrawnArea: (): boolean => query.has('area') || query.has('radiusMi'),
    text: (): string => query.toString(),
    /** What the tiles of matches are asked for. The box of the map is left out: each tile has its own. */
    tileQuery: (): string => {
      const parameters = new URLSearchParams(query)
      for (const name of [...viewNames, 'bbox']) parameters.delete(name)
      return parameters.toString()
    },
    reload: (): void => {
      query = new URLSearchParams(location.search)
    },
  }
}
export type ExploreState = ReturnType<typeof exploreState>

// CKAN datastore: pages of rows with the total count. https://docs.ckan.org/en/latest/maintaining/datastore.html
import { readJson } from './file.ts'
import { isAddress, pageTally, rowNumberer, type Source, SourceError, sourceOfPages } from './source.ts'

export const ckan = sourceOfPages(async function* (where, context, state) {
  const headers: Record<string, string> = context.token ? { authorization: context.token } : {}
  const size = where.pageSize ?? 5000
  const row = rowNumberer()
  const tally = pageTally(where.url, state, (fields) => fields._id)
  for (let offset = 0; ; ) {
    const result = resultOf(
      await readJson(isAddress(where.url) ? pageUrl(where, size, offset) : where.url, context, headers),
      where.url,
    )
    if (result.fields) state.columns = result.fields.map(({ id }) => id)
    if (!result.total_was_estimated) tally.count(result.total)
    tally.add(result.records)
    if (result.records.length > 0) yield result.records.map(row)
    offset += result.records.length
    if (!isAddress(where.url)) return
    const total = result.total_was_estimated ? undefined : result.total
    if (result.records.length === 0 || offset >= (total ?? Number.POSITIVE_INFINITY)) return await tally.end()
  }
})

const pageUrl = (where: Parameters<Source>[0], size: number, offset: number): string => {
  if (!where.resource)
    throw new SourceError('no_resource', 'A CKAN source needs where.resource, the id of the resource.')
  const query = new URLSearchParams({
    resource_id: where.resource,
    limit: String(size),
    offset: String(offset),
    sort: where.order ?? '_id',
    ...(where.select ? { fields: where.select } : {}),
  })
  return `${where.url.replace(/\/$/, '')}/api/3/action/datastore_search?${query}`
}

interface Result {
  records: Record<string, unknown>[]
  fields?: { id: string }[]
  total?: number
  total_was_estimated?: boolean
}

const resultOf = (answer: unknown, url: string): Result => {
  const { success, result, error } = (answer ?? {}) as {
    success?: boolean
    result?: Partial<Result>
    error?: { message?: string }
  }
  if (success === false || !Array.isArray(result?.records))
    throw new SourceError('not_rows', `${url} returned no records${error?.message ? `: ${error.message}` : ''}.`)
  return result as Result
}

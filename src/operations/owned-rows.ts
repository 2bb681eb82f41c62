// What the families of a key share: their list, one of them, and its deletion. The rows of other keys are not found.
import { notFound } from '../common/errors.ts'
import type { rowsOfKey } from '../store/keys/rows-of-key.ts'
import type { Context } from './context.ts'
import { cursorPageOf, listAnswer } from './listing-page.ts'

export const ownedRows = <Row, Served>(
  /** "watch", in the error for an id that the key does not have. */
  name: string,
  rows: ReturnType<typeof rowsOfKey<Row>>,
  keyIdOf: (context: Context) => string,
  served: (row: Row) => Served,
) => {
  const missing = (id: string) => notFound(`This key has no ${name} ${id}.`)
  const ownedRow = async (context: Context, id: string): Promise<Row> => {
    const row = await rows.one(context.db, keyIdOf(context), id)
    if (!row) throw missing(id)
    return row
  }
  return {
    missing,
    own: ownedRow,
    list: async (context: Context, input: Parameters<typeof cursorPageOf>[1]) => {
      const page = cursorPageOf(context.caller, input)
      const { rows: pageRows, total } = await rows.page(context.db, keyIdOf(context), page)
      return listAnswer(page, pageRows.map(served), total, { asOf: context.now.toISOString() })
    },
    get: async (context: Context, { id }: { id: string }) => ({
      success: true as const,
      data: served(await ownedRow(context, id)),
      asOf: context.now.toISOString(),
    }),
    remove: async (context: Context, { id }: { id: string }) => {
      if (!(await rows.remove(context.db, keyIdOf(context), id))) throw missing(id)
      return { success: true as const }
    },
  }
}

// A family of things that a key owns: one way to list, read, save, change and delete them. Its texts are passed in.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { succeeded } from '../../common/shape.ts'
import { describe, type Operation } from '../operation.ts'
import { listOf, singleOf } from '../pagination.ts'
import { asOf, listExample } from './examples.ts'
import { cursor, page } from './paging.ts'

interface Family<Row extends TSchema> {
  tag: string
  path: string
  /** In the names of operations: `get_watch`, `list_watches`. */
  one: string
  many: string
  /** Describes the id. */
  id: string
  row: Row
  example: Static<Row> & { id: string }
}

type Texts = Pick<Operation, 'title' | 'summary'> & Partial<Pick<Operation, 'description' | 'access' | 'errors'>>

/** What an operation of the family has beside the common parts. */
type Own<Input extends TProperties, Output extends TSchema> = Texts & {
  input: Input
  output: Output
  example: Operation<TObject<Input>, Output>['example']
  maxBodyKiB?: number
}

export const done = Type.Object({ success: succeeded })

export const resource = <Row extends TSchema>({ tag, path, one, many, row, example, ...family }: Family<Row>) => {
  const id = Type.String({ minLength: 1, maxLength: 64, description: family.id })
  const common = { tag, access: 'key' } as const
  const item = `${path}/{id}`
  return {
    id,
    single: singleOf(row),
    singleExample: { success: true as const, data: example, asOf },
    list: (texts: Texts) =>
      describe({
        ...common,
        name: `list_${many}`,
        method: 'GET',
        path,
        input: Type.Object({ ...page, cursor }),
        output: listOf(row),
        example: { input: {}, output: listExample(example, {}) as never },
        errors: [403],
        ...texts,
      }),
    get: (texts: Texts) =>
      describe({
        ...common,
        name: `get_${one}`,
        method: 'GET',
        path: item,
        input: Type.Object({ id }),
        output: singleOf(row),
        example: { input: { id: example.id }, output: { success: true, data: example, asOf } as never },
        errors: [403, 404],
        ...texts,
      }),
    create: <Input extends TProperties, Output extends TSchema>({ input, ...own }: Own<Input, Output>) =>
      describe({
        ...common,
        name: `create_${one}`,
        strict: true,
        method: 'POST',
        path,
        input: Type.Object(input),
        errors: [400, 403],
        ...own,
      }),
    update: <Input extends TProperties, Output extends TSchema>({
      input,
      ...own
    }: Own<Input & { id: typeof id }, Output>) =>
      describe({
        ...common,
        name: `update_${one}`,
        strict: true,
        method: 'PUT',
        path: item,
        input: Type.Object(input),
        errors: [400, 403, 404],
        ...own,
      }),
    remove: (texts: Texts) =>
      describe({
        ...common,
        name: `delete_${one}`,
        method: 'DELETE',
        path: item,
        input: Type.Object({ id }),
        output: done,
        example: { input: { id: example.id }, output: { success: true } },
        errors: [403, 404],
        ...texts,
      }),
    /** POST /v1/watches/{id}/pause. */
    action: (verb: string, texts: Texts) =>
      describe({
        ...common,
        name: `${verb}_${one}`,
        method: 'POST',
        path: `${item}/${verb}`,
        input: Type.Object({ id }),
        output: done,
        example: { input: { id: example.id }, output: { success: true } },
        errors: [403, 404],
        ...texts,
      }),
  }
}

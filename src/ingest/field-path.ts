export type Fields = Readonly<Record<string, unknown>>

/** Reads a field by its name or by a dotted path into nested objects. */
export const fieldReader = (path: string): ((fields: Fields) => unknown) => {
  const steps = path.split('.')
  if (steps.length === 1) return (fields) => fields[path]
  return (fields) => (path in fields ? fields[path] : steps.reduce<unknown>(step, fields))
}
const step = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => step(each, name))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Fields)[name] : undefined
}

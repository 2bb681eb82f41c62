// The example request of an operation as code in each language. The reference shows it, and a test runs it.
import { inputFields, needsOwnKey, type Operation } from '../../wire/operation.ts'
import { demoKey } from '../../wire/plans.ts'
import type { Call } from '../browser/code-samples.ts'
import { exampleBaseUrl } from './markdown.ts'

/** Replaced by the reader. The demo key owns nothing: no webhooks, sets or exports. */
export const keyPlaceholder = 'YOUR_API_KEY'

export const exampleCall = (operation: Operation, base: string): Call => {
  const given = operation.example.input as Record<string, unknown>
  const { query, body } = inputFields(operation)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const params = new URLSearchParams(
    query.filter((name) => given[name] !== undefined).map((name) => [name, String(given[name])] as [string, string]),
  )
  const sent = Object.fromEntries(body.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]))
  return {
    method: operation.method,
    url: `${base}${path}${params.size > 0 ? `?${params}` : ''}`,
    ...(operation.access === 'open' ? {} : { key: isOwn(operation) ? keyPlaceholder : demoKey }),
    ...(Object.keys(sent).length > 0 ? { body: sent } : {}),
  }
}

export const exampleResponse = (operation: Operation, publicUrl: string): string =>
  JSON.stringify(operation.example.output, null, 2).replaceAll(exampleBaseUrl, publicUrl)

/** The demo key cannot be replaced or deleted. */
const isOwn = ({ access, method, tag }: Operation): boolean =>
  needsOwnKey({ access }) || (access === 'key' && tag === 'Keys' && method !== 'GET')

// The API reference, generated from the contract: for each operation its parameters, response fields, errors, and an example
// request and response beside them.
import { type CriteriaList, type Criterion, criteria } from '../../criteria/table.ts'
import { type WebhookEvent, webhookEvents } from '../../wire/events.ts'
import type { Access, Operation } from '../../wire/operation.ts'
import { operationList } from '../../wire/operations/list.ts'
import { codeSample, type Language, languages } from '../browser/code-samples.ts'
import {
  errorStatusesOf,
  inputFieldsOf,
  type OutputRow,
  outputRows,
  type Schema,
  typeWords,
} from '../contract-fields.ts'
import { type Html, html } from '../html.ts'
import { exampleCall, exampleResponse } from './operation-samples.ts'

const accessWords: Record<Access, string> = {
  open: 'No API key needed',
  key: 'Any API key',
  ownKey: 'Any API key but demo',
  pro: 'Pro API key',
  proPlan: 'Pro API key',
}

const errorWords: Record<number, string> = {
  400: 'bad_request: a parameter is invalid; the message names it',
  401: 'unauthorized: the API key is missing or invalid',
  403: 'forbidden: the plan of this key does not include this operation',
  404: 'not_found: there is no record with this identifier',
  429: 'rate_limited: too many requests; retry after the seconds in the Retry-After header',
  500: 'internal_error: an unexpected server error',
  503: 'internal_error: the server is busy or starting; retry after the seconds in the Retry-After header',
}

type ReferencePage = ReturnType<typeof referencePages>[number]

/** One page per tag of the contract. */
export const referencePages = () =>
  [...Map.groupBy(operationList, ({ tag }) => tag)].map(([title, operations]) => ({
    path: `/docs/reference/${title.toLowerCase().replaceAll(' ', '-')}`,
    ...{ title, operations },
  }))

export const referenceUrlOf = (operation: Operation): string =>
  `${referencePages().find(({ title }) => title === operation.tag)!.path}#${operation.name}`

export const eventsPath = '/docs/reference/events'

export const referenceIndex = (publicUrl: string): Html => html`<h1>API reference</h1>
<p class="lede">The base URL is <code>${publicUrl}/api</code>. Changes within <code>/v1</code> are backward compatible. Download the <a href="/openapi.json" download>OpenAPI 3.1 document</a>. Plans and their limits: <a href="/docs/limits">Limits and plans</a>.</p>
${referencePages().map(
  ({ path, title, operations }) => html`<h2><a href="${path}">${title}</a></h2>
<dl class="reference-index">${operations.map((each) => html`<div id="${each.name}"><dt><a href="${path}#${each.name}"><span class="method">${each.method}</span> <code>${each.path}</code></a></dt><dd>${each.summary}</dd></div>`)}</dl>`,
)}
<h2><a href="${eventsPath}">Webhook events</a></h2>
<dl class="reference-index">${Object.entries(webhookEvents).map(([name, { summary }]) => html`<div><dt><a href="${eventsPath}#event-${name}"><code>${name}</code></a></dt><dd>${summary}.</dd></div>`)}</dl>`

export const referenceBody = (
  { title, operations }: ReferencePage,
  publicUrl: string,
): Html => html`<h1>API reference: ${title}</h1>
<fieldset class="language-choice"><legend>Examples in</legend>${languages.map((name, index) => html`<label><input type="radio" name="language" value="${idOf(name)}" id="language-${idOf(name)}"${index === 0 ? html` checked` : ''}>${name}</label>`)}</fieldset>
${operations.map((operation) => operationSection(operation, publicUrl))}`

export const eventsBody = (): Html => html`<h1>API reference: webhook events</h1>
<p class="lede">A webhook endpoint receives these bodies by POST, signed as <a href="/docs/webhooks">Webhooks</a> describes. <code>GET /v1/events</code> lists past events in the same shape.</p>
${Object.entries(webhookEvents).map(([name, event]) => eventSection(name, event))}`

/** Every criterion of a search, with the lists that take it. */
export const criteriaList = (): Html =>
  html`<h2 id="all-criteria">All criteria</h2>${fieldList(
    Object.entries<Criterion>(criteria).map(([name, { schema, lists }]) => ({
      name,
      type: typeWords(schema as Schema),
      about: `${(schema as Schema).description} (${listWords(lists)})`,
    })),
  )}`

const listWords = (lists: readonly CriteriaList[]): string =>
  lists
    .filter((list) => list !== 'search')
    .map((list) => (list === 'lot_splits' ? 'SB 9' : list))
    .join(', ') || 'POST /v1/search'

const operationSection = (operation: Operation, publicUrl: string): Html => {
  const fields = inputFieldsOf(operation)
  const call = exampleCall(operation, `${publicUrl}/api`)
  return html`<section class="operation" id="${operation.name}"><div class="operation-text"><h2>${operation.title}</h2>
<p><span class="method">${operation.method}</span> <code>${operation.path}</code> <span class="tag">${accessWords[operation.access]}</span></p>
<p>${operation.summary} ${operation.description}</p>
${
  fields.length === 0
    ? ''
    : html`<h3>Parameters</h3>${fieldList(
        fields.map(({ name, location, required, schema }) => ({
          name,
          type: `${typeWords(schema)}${required ? ', required' : ''}`,
          about: `${schema.description ?? ''}${location === 'query' ? '' : ` (in the ${location})`}`,
        })),
      )}`
}
<h3>Response</h3>${responseFields(outputRows(operation.output as unknown as Schema))}
<details><summary>Errors</summary><ul>${errorStatusesOf(operation).map((status) => html`<li><b>${status}</b> ${errorWords[status]}</li>`)}</ul></details>
<p><a href="/playground?op=${operation.name}">Try it in the playground</a></p></div>
<div class="operation-example"><h3>Request</h3>
${languages.map((language) => html`<pre class="code sample" data-copy data-language="${idOf(language)}" tabindex="0"><code>${codeSample(language, call)}</code></pre>`)}
<h3>Response</h3><pre class="code response" tabindex="0"><code>${exampleResponse(operation, publicUrl)}</code></pre></div></section>`
}

const eventSection = (name: string, { schema, summary, when, example }: WebhookEvent): Html =>
  html`<section class="operation" id="event-${name}"><div class="operation-text"><h3><code>${name}</code></h3><p>${summary}. Sent when: ${when}</p>
${responseFields(outputRows(schema as unknown as Schema))}</div>
<div class="operation-example"><h3>Body</h3><pre class="code response" tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></div></section>`

const idOf = (language: Language): string => language.toLowerCase()

/** Shows the first two levels. Fields of nested objects are collapsed under their object, so that a list of 150 fields can be read. */
const responseFields = (rows: readonly OutputRow[]): Html => {
  const upper = rows.filter(({ depth }) => depth < 2)
  return fieldList(
    upper.map((row) => ({
      ...fieldOf(row),
      inner: row.depth === 1 ? rows.filter(({ path }) => path.startsWith(`${row.path}.`)).map(fieldOf) : [],
    })),
  )
}

interface Field {
  name: string
  type: string
  about: string
  inner?: readonly Field[]
}

const fieldOf = (row: OutputRow): Field => ({
  name: row.path,
  type: `${row.type}${row.optional ? ', optional' : ''}`,
  about: row.description ?? '',
})

const fieldList = (fields: readonly Field[]): Html =>
  html`<dl class="field-list">${fields.map(
    ({ name, type, about, inner = [] }) =>
      html`<div><dt><code>${name}</code> <span>${type}</span></dt><dd>${about}${
        inner.length > 0
          ? html`<details><summary>${inner.length} ${inner.length === 1 ? 'field' : 'fields'}</summary>${fieldList(inner)}</details>`
          : ''
      }</dd></div>`,
  )}</dl>`

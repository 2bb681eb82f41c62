// The playground: a form for every operation, generated from the contract, with the call as code and the response.
import type { FastifyInstance } from 'fastify'
import { needsOwnKey, needsPro, type Operation } from '../../wire/operation.ts'
import { operationList } from '../../wire/operations/list.ts'
import { demoKey, plans, playgroundMaxResults } from '../../wire/plans.ts'
import { codeSample, languages } from '../browser/code-samples.ts'
import { type FieldValue, requestOf } from '../browser/request-of.ts'
import { type InputField, inputFieldsOf } from '../contract-fields.ts'
import { capitalized, codeInWords } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type Query, queryOf, someOf, textIn } from '../query.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'

const apiPrefix = '/api'

export const mountPlayground = (app: FastifyInstance, site: Site): void => {
  app.get('/playground', async (request, reply) => {
    const asked = queryOf(request)
    // Without a choice, the form asks for what can be bought now.
    const query = textIn(asked, 'op') === undefined ? { status: 'for_sale', ...asked } : asked
    const operation = operationList.find(({ name }) => name === textIn(query, 'op')) ?? operationList[0]!
    return sendPage(site, request, reply, {
      title: 'Playground',
      description: 'Try every operation of the Lotline API in the browser, with the demo key or your own.',
      path: '/playground',
      layout: 'wide',
      hasContentId: true,
      script: 'playground',
      body: html`<section class="playground"><h1 class="visually-hidden">Playground</h1>
<nav class="operations" id="operations" aria-label="Operations">${[...Map.groupBy(operationList, ({ tag }) => tag)].map(
        ([tag, operations]) =>
          html`<h2>${tag}</h2><ul>${operations.map((each) => html`<li><a href="/playground?op=${each.name}"${each === operation ? html` aria-current="page"` : ''}>${each.title}</a></li>`)}</ul>`,
      )}</nav>
${operationForm(operation, query, site.services.publicUrl)}</section>`,
    })
  })
}

const operationForm = (operation: Operation, query: Query, publicUrl: string): Html => {
  const fields = inputFieldsOf(operation)
  const values: FieldValue[] = fields.map((field) => ({ ...field, text: textFor(field, query) }))
  const request = requestOf(operation.method, `${publicUrl}${apiPrefix}`, operation.path, values)
  const key = operation.access === 'open' ? undefined : demoKey
  const call = { method: operation.method, url: request.url, key, body: request.body }
  const shown = shownFields(fields, values)
  const rare = fields.filter((field) => !shown.has(field))
  const inputs = (some: InputField[]) =>
    html`<div class="fields">${some.map((field) => inputOf(field, values[fields.indexOf(field)]!.text))}</div>`
  return html`<div class="workbench" id="content">
<header><h2>${operation.title}</h2><p><span class="method">${operation.method}</span> <code>${operation.path}</code> <a class="narrow-only" href="#operations">All operations</a></p>
<p>${operation.summary} ${operation.description}</p>${warning(operation)}</header>
<form data-call data-method="${operation.method}" data-path="${operation.path}" data-base="${apiPrefix}" data-access="${operation.access}" data-op="${operation.name}">
<p class="send"><button class="button" disabled>Send request</button> <button type="button" class="button quiet" data-share disabled>Copy link</button></p>
<noscript><p class="note">Sending a request needs JavaScript. You can still copy the code.</p></noscript>
${operation.access === 'open' ? '' : keyChoice(operation)}
${fields.length === 0 ? html`<p class="note">This operation has no parameters.</p>` : inputs(fields.filter((field) => shown.has(field)))}
${rare.length === 0 ? '' : html`<details class="rare"><summary>${rare.length} more parameters</summary>${inputs(rare)}</details>`}</form>
<div class="result"><div class="response" data-response hidden aria-live="polite"><p class="status" data-status></p>
<div class="tabs" role="tablist" aria-label="Response format">${(['JSON', 'Table', 'Headers'] as const).map((name, index) => tab('response', name, index === 0))}</div>
${panel('response', 'JSON', true, html`<pre class="code" tabindex="0"><code data-json></code></pre>`)}${panel('response', 'Table', false, html`<div class="scroll" data-table tabindex="0" role="region" aria-label="Response as a table"></div>`)}${panel('response', 'Headers', false, html`<dl class="ledger" data-headers></dl>`)}</div>
<div class="samples"><div class="tabs" role="tablist" aria-label="Code language">${languages.map((name, index) => tab('code', name, index === 0))}</div>
${languages.map((name, index) => panel('code', name, index === 0, html`<pre class="code" data-copy tabindex="0"><code data-sample="${name}">${codeSample(name, call)}</code></pre>`))}</div></div></div>`
}

/** What most requests set. */
const common = new Set([
  'market',
  'city',
  'q',
  'address',
  'status',
  'listingStatus',
  'minPrice',
  'maxPrice',
  'minScore',
  'sort',
  'limit',
])
const fewFields = 12

/** Required, common and filled-in fields. The others are folded where there are many. */
const shownFields = (fields: readonly InputField[], values: readonly FieldValue[]): Set<InputField> =>
  new Set(
    fields.filter(
      ({ name, required }, at) => fields.length <= fewFields || required || common.has(name) || values[at]!.text !== '',
    ),
  )

const tab = (group: string, name: string, selected: boolean): Html =>
  html`<button type="button" role="tab" id="${group}-tab-${name}" aria-controls="${group}-${name}" aria-selected="${String(selected)}"${selected ? '' : html` tabindex="-1"`}>${name}</button>`

const panel = (group: string, name: string, selected: boolean, body: Html): Html =>
  html`<div role="tabpanel" id="${group}-${name}" aria-labelledby="${group}-tab-${name}"${selected ? '' : html` hidden`}>${body}</div>`

const textFor = ({ name, type, choices }: InputField, query: Query): string =>
  type === 'list' && choices
    ? someOf(query, name, choices).join(',') || (textIn(query, name) ?? '')
    : (textIn(query, name, 2_000) ?? '')

const inputOf = (field: InputField, value: string): Html => {
  const { name, schema, required, location, type, choices } = field
  const id = `field-${name}`
  const attributes = html`id="${id}" name="${name}" data-location="${location}" data-type="${type}" aria-describedby="${id}-about"${required ? html` required` : ''}`
  const control =
    type === 'list' && choices
      ? html`<span class="checks" role="group" aria-label="${capitalized(codeInWords(name))}" data-list="${name}" data-location="${location}">${choices.map((choice) => html`<label><input type="checkbox" value="${choice}"${value.split(',').includes(choice) ? html` checked` : ''}>${choice}</label>`)}</span>`
      : choices
        ? html`<select ${attributes}><option value=""></option>${choices.map((choice) => html`<option${choice === value ? html` selected` : ''}>${choice}</option>`)}</select>`
        : html`<input ${attributes} type="${inputType(field)}"${type === 'number' ? html` inputmode="decimal" step="any"` : ''} value="${value}"${schema.maxLength ? html` maxlength="${schema.maxLength}"` : ''} autocomplete="off">`
  const title = html`<b>${name}</b>${required ? html` <i>required</i>` : ''}`
  return html`<div class="field">${type === 'list' && choices ? html`<span class="label">${title}</span>` : html`<label class="label" for="${id}">${title}</label>`}${control}<small id="${id}-about">${schema.description}</small></div>`
}

const inputType = ({ type, schema }: InputField): string =>
  type === 'number' ? 'number' : schema.format === 'date' ? 'date' : schema.format === 'email' ? 'email' : 'text'

const keyChoice = ({ access }: Operation): Html => html`<fieldset class="key-choice"><legend>API key</legend>
<label><input type="radio" name="lotline-key" value="demo" checked> Demo key${needsOwnKey({ access }) ? ` (returns 403: this operation needs ${needsPro({ access }) ? 'a Pro key' : 'a key of your own'})` : ''}</label>
<label><input type="radio" name="lotline-key" value="own"> Your key <input type="password" data-own-key autocomplete="off" spellcheck="false" placeholder="ll_…" aria-label="Your API key"></label>
<p class="note">In the playground the demo key returns at most ${playgroundMaxResults} results per page; elsewhere it returns ${plans.demo.maxResults}. Your own key is kept in this browser tab until you close it, and is sent only to this service.</p></fieldset>`

const warning = ({ name, method }: Operation): Html | '' =>
  name === 'delete_key'
    ? html`<p class="caution">This revokes the API key that you send, immediately.</p>`
    : name === 'rotate_key'
      ? html`<p class="caution">This replaces the API key that you send. The old key can only read, for 24 hours.</p>`
      : method === 'DELETE'
        ? html`<p class="caution">This deletes data.</p>`
        : ''

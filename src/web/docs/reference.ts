// The API reference, generated from the contract: every field, limit and error.
import type { Access, Operation } from '../../contract/operation.ts'
import { operationList } from '../../contract/operations/list.ts'
import { earlyAccess, plans } from '../../contract/plans.ts'
import { errorStatusesOf, inputFieldsOf, outputRows, type Schema, typeWords } from '../contract-fields.ts'
import { type Html, html } from '../html.ts'

const accessWords: Record<Access, string> = {
  open: 'No API key needed',
  key: 'Any API key',
  pro: 'Pro API key',
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

export const referenceBody = (publicUrl: string): Html => html`<h1>API reference</h1>
<p class="lede">The base URL is <code>${publicUrl}/api</code>. Changes within <code>/v1</code> are backward compatible. Download the <a href="/openapi.json" download>OpenAPI 3.1 document</a>.</p>
<nav class="reference-index" aria-label="Operations">${operationList.map((each) => html`<a href="#${each.name}"><span class="method">${each.method}</span> ${each.path}</a>`)}</nav>
<h2 id="plans">Plans</h2><div class="scroll" tabindex="0" role="region" aria-label="Plans"><table class="data"><thead><tr><th scope="col">Plan</th><th scope="col" class="num">Results per page</th><th scope="col" class="num">Requests per minute</th><th scope="col">History</th><th scope="col">Webhooks</th></tr></thead>
<tbody>${Object.entries(plans).map(([name, plan]) => html`<tr><th scope="row">${name}</th><td class="num">${plan.maxResults}</td><td class="num">${plan.requestsPerMinute}</td><td>${plan.historyDays === null ? 'full' : `last ${plan.historyDays} days of permits and sales`}</td><td>${plan.webhooks ? 'yes' : 'no'}</td></tr>`)}</tbody></table></div>
<p class="note">During early access, each new key has at least ${earlyAccess.maxResults} results per page, ${earlyAccess.requestsPerMinute} requests per minute, and webhooks for its first ${earlyAccess.months} months.</p>
${operationList.map(operationSection)}`

const operationSection = (operation: Operation): Html => {
  const fields = inputFieldsOf(operation)
  const rows = outputRows(operation.output as unknown as Schema)
  return html`<section class="operation" id="${operation.name}"><h2>${operation.title}</h2>
<p><span class="method">${operation.method}</span> <code>${operation.path}</code> <span class="tag">${accessWords[operation.access]}</span></p>
<p>${operation.summary} ${operation.description}</p>
${
  fields.length === 0
    ? ''
    : fieldTable(
        `Parameters of ${operation.title}`,
        fields.map(({ name, location, required, schema }) => [
          name,
          `${typeWords(schema)}${required ? ', required' : ''}`,
          `${schema.description ?? ''}${location === 'query' ? '' : ` (in the ${location})`}`,
        ]),
      )
}
<details><summary>Response: ${rows.length} fields</summary>${fieldTable(
    `Response fields of ${operation.title}`,
    rows.map((row) => [row.path, `${row.type}${row.optional ? ', optional' : ''}`, row.description ?? '']),
  )}</details>
<details><summary>Errors</summary><ul>${errorStatusesOf(operation).map((status) => html`<li><b>${status}</b> ${errorWords[status]}</li>`)}</ul></details>
<p><a href="/playground?op=${operation.name}">Try it in the playground</a></p></section>`
}

const fieldTable = (label: string, rows: readonly (readonly [string, string, string])[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="data fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows.map(([name, type, about]) => html`<tr><th scope="row"><code>${name}</code></th><td>${type}</td><td>${about}</td></tr>`)}</tbody></table></div>`

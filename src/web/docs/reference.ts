// The API reference, drawn from the contract: every field, limit and error, so it cannot drift.
import type { Access, Operation } from '../../contract/operation.ts'
import { operationList } from '../../contract/operations/list.ts'
import { earlyAccess, plans } from '../../contract/plans.ts'
import { inputFieldsOf, outputRows, refusalsOf, type Schema, typeWords } from '../contract-fields.ts'
import { type Html, html } from '../html.ts'

const accessWords: Record<Access, string> = {
  open: 'No key needed',
  key: 'Any key',
  pro: 'A key with webhooks (Pro)',
}

const refusalWords: Record<number, string> = {
  400: 'bad_request: an input is wrong; the message names it',
  401: 'unauthorized: no key, or not a valid one',
  403: 'forbidden: the plan does not have this',
  404: 'not_found: there is no such thing',
  429: 'rate_limited: too many requests; wait Retry-After seconds',
  500: 'internal_error: our fault',
  503: 'internal_error: busy or starting; wait Retry-After seconds',
}

export const referenceBody = (publicUrl: string): Html => html`<h1>API reference</h1>
<p class="lede">Base address <code>${publicUrl}/api</code>. Version 1.0.0; within <code>/v1</code>, changes only add. Machine-readable: <a href="/openapi.json" download>OpenAPI 3.1</a>.</p>
<nav class="reference-index" aria-label="Operations">${operationList.map((each) => html`<a href="#${each.name}"><span class="method">${each.method}</span> ${each.path}</a>`)}</nav>
<h2 id="plans">Plans</h2><div class="scroll" tabindex="0" role="region" aria-label="Plans"><table class="data"><thead><tr><th scope="col">Plan</th><th scope="col" class="num">Rows a page</th><th scope="col" class="num">Requests a minute</th><th scope="col">History</th><th scope="col">Webhooks</th></tr></thead>
<tbody>${Object.entries(plans).map(([name, plan]) => html`<tr><th scope="row">${name}</th><td class="num">${plan.maxResults}</td><td class="num">${plan.requestsPerMinute}</td><td>${plan.historyDays === null ? 'full' : `${plan.historyDays} days of permits and sales`}</td><td>${plan.webhooks ? 'yes' : 'no'}</td></tr>`)}</tbody></table></div>
<p class="note">While early access is on, new keys carry at least ${earlyAccess.maxResults} rows, ${earlyAccess.requestsPerMinute} requests a minute and webhooks for ${earlyAccess.months} months.</p>
${operationList.map(operationPart)}`

const operationPart = (operation: Operation): Html => {
  const fields = inputFieldsOf(operation)
  const rows = outputRows(operation.output as unknown as Schema)
  return html`<section class="operation" id="${operation.name}"><h2>${operation.title}</h2>
<p><span class="method">${operation.method}</span> <code>${operation.path}</code> <span class="tag">${accessWords[operation.access]}</span></p>
<p>${operation.summary} ${operation.description}</p>
${
  fields.length === 0
    ? ''
    : fieldTable(
        `Input of ${operation.title}`,
        fields.map(({ name, place, required, schema }) => [
          name,
          `${typeWords(schema)}${required ? ', required' : ''}`,
          `${schema.description ?? ''}${place === 'query' ? '' : ` (in the ${place})`}`,
        ]),
      )
}
<details><summary>${rows.length} fields of the answer</summary>${fieldTable(
    `Answer of ${operation.title}`,
    rows.map((row) => [row.path, `${row.type}${row.optional ? ', may be absent' : ''}`, row.description ?? '']),
  )}</details>
<details><summary>Refusals</summary><ul>${refusalsOf(operation).map((status) => html`<li><b>${status}</b> ${refusalWords[status]}</li>`)}</ul></details>
<p><a href="/playground?op=${operation.name}">Try it</a></p></section>`
}

const fieldTable = (label: string, rows: readonly (readonly [string, string, string])[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="data fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(([name, type, about]) => html`<tr><th scope="row"><code>${name}</code></th><td>${type}</td><td>${about}</td></tr>`)}</tbody></table></div>`

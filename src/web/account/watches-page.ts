// Watches: list, pause, test, delete; a form that saves the criteria of a list page, with a preview; and what one watch has announced.

import { dollars } from '../../common/dollars.ts'
import { badRequest } from '../../common/errors.ts'
import { parsedJson } from '../../common/typed.ts'
import { criteriaText, watchName } from '../../criteria/criteria-text.ts'
import { fits } from '../../domain/field-check.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import type { Context } from '../../operations/context.ts'
import { type PastMatch, pastMatches, proposedBound } from '../../operations/watch-preview.ts'
import { everyWatch } from '../../operations/watches.ts'
import {
  createWatch,
  deleteWatch,
  getWatch,
  listWatchMatches,
  pauseWatch,
  resumeWatch,
  testWatch,
} from '../../wire/operations/watches.ts'
import {
  announcedAtHour,
  permitTriggers,
  type WatchKind,
  type WatchTrigger,
  watchCadences,
  watchKinds,
  watchTriggers,
} from '../../wire/watches.ts'
import { formField, isCriterion, readCriteria } from '../criteria-form.ts'
import { capitalized, count, day, plural } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { problemList } from '../pages/search-list.ts'
import { oneOf, pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, keyName, type Outcome, ownKey, type Visit } from './account-page.ts'
import { byId, listPage } from './list-page.ts'
import { chosenSet, keepNote, numbersField } from './numbers-field.ts'

type NewWatch = Parameters<typeof runOperation<typeof createWatch>>[2]

/** The longest criteria and note that a form sends. */
export const longText = 20_000

const kindWords: Record<WatchKind, string> = { listings: 'homes listed', parcels: 'parcels', permits: 'permits' }

const triggerWords: Record<WatchTrigger, string> = {
  entered: 'starts to match',
  left: 'no longer matches',
  price: 'changes its price',
  status: 'changes its status',
  score: 'changes its score',
  permit: 'gets a permit, or a permit changes',
}

/** Why the mails of a key are not sent now. */
const noMailReason = ({ site }: Visit, { confirmedAt }: AccountKey): string | undefined =>
  !site.sendsMail
    ? 'This server sends no mail. Use an Atom feed or a webhook.'
    : confirmedAt === null
      ? 'Mail starts when the key is confirmed.'
      : undefined

const note = (text: string | undefined) => text && html`<small>${text}</small>`

const list = listPage({
  path: 'watches',
  title: 'Watches',
  about: html`Searches and homes whose changes are announced by mail, Atom feed or webhook. To add one, open a list such as <a href="/explore">Explore</a>, <a href="/leads">Leads</a> or <a href="/permits">Permits</a> and choose “Watch this search”.`,
  empty: html`No watch yet.`,
  items: async (context) => (await everyWatch(context)).filter(({ savedHome }) => !savedHome),
  columns: [
    {
      title: 'Watch',
      cell: (watch, _visit, key) =>
        html`<a href="${pathWithQuery('/account/watches', { key: key.id, watch: watch.id })}">${watch.name}</a><small>${kindWords[watch.kind]}: ${criteriaText(watch) || 'all'}</small>${note(watch.note)}`,
    },
    { title: 'When', cell: ({ on }) => on.map((each) => triggerWords[each]).join(', ') },
    {
      title: 'How',
      cell: ({ cadence, channels: { email, atom, webhooks } }, visit, key) =>
        html`${[email && 'mail', atom && 'Atom', webhooks.length > 0 && plural(webhooks.length, 'webhook')].filter(Boolean).join(', ') || 'on this page'}<small>${cadence}</small>${email && note(noMailReason(visit, key))}`,
    },
    {
      title: 'State',
      cell: ({ paused, channels: { email, atom, webhooks } }, visit, key) => {
        const waits = email && !atom && webhooks.length === 0 && noMailReason(visit, key) !== undefined
        return html`<span class="tag${paused || waits ? ' warn' : ' active'}">${paused ? 'paused' : waits ? 'no mail yet' : 'active'}</span>`
      },
    },
  ],
  actions: {
    pause: { label: 'Pause', when: ({ paused }) => !paused, run: byId(pauseWatch) },
    resume: { label: 'Resume', when: ({ paused }) => paused, run: byId(resumeWatch) },
    test: {
      label: 'Send a test',
      when: ({ channels: { email, webhooks } }, { site }) => (email && site.sendsMail) || webhooks.length > 0,
      done: 'The test is on its way.',
      run: byId(testWatch),
    },
    delete: {
      label: 'Delete',
      warning: 'The watch and its matches are deleted, and its feed ends.',
      run: byId(deleteWatch),
    },
  },
})

export const watchesPage: AccountPage = {
  ...list,
  show: async (visit) => {
    const watch = textIn(visit.query, 'watch')
    if (watch !== undefined) return oneWatch(visit, watch)
    if (visit.query.criteria === undefined) return list.show(visit)
    const key = visit.user.chosen
    if (!key)
      return html`<p class="empty">This address has no confirmed key. <a href="/account/keys">Confirm a key or create one</a></p>`
    const kind = oneOf(visit.query, 'kind', watchKinds) ?? 'listings'
    const criteria = criteriaIn(textIn(visit.query, 'criteria', longText) ?? '{}')
    const name = textIn(visit.query, 'name', 80) ?? watchName(criteria)
    const oneHome = (criteria as { id?: string[] }).id?.length === 1
    const on: WatchTrigger[] = oneHome ? ['price', 'status', 'permit'] : ['entered']
    const set = await chosenSet(visit, key, kind)
    const sort = textIn(visit.query, 'sort')
    const bound = await proposedBound(visit.as(key), { ...set, kind, criteria, ...(sort && { sort }) })
    const channels = visit.site.sendsMail ? { email: true } : { atom: true }
    const bounded = { ...criteria, ...(bound && { [bound.name]: bound.value }) }
    const form: NewWatch = { ...set, name, kind, criteria: bounded, on, cadence: 'daily', channels }
    return formOf(visit, key, form, { bound: bound?.name })
  },
  actions: {
    ...list.actions,
    preview: async (visit, field) => {
      const key = ownKey(visit, field('key'))
      return { title: 'New watch', body: await formOf(visit, key, ...watchIn(field)) }
    },
    create: async (visit, field): Promise<Outcome> => {
      const key = ownKey(visit, field('key'))
      const [watch, { problems, ...form }] = watchIn(field)
      if (problems.length > 0)
        return { title: 'New watch', status: 400, body: await formOf(visit, key, watch, { problems, ...form }) }
      const { data } = await runOperation(createWatch, visit.as(key), watch)
      if (!data.atomUrl) return undefined
      return {
        title: 'Your feed',
        body: html`<p class="lede">Copy the URL now. It won’t be shown again.</p><pre class="code-block"><code>${data.atomUrl}</code></pre>
<p>Anyone who has it can read the matches of this watch. To end it, delete the watch.</p><p><a class="button" href="/account/watches">Your watches</a></p>`,
      }
    },
  },
}

/** The criteria in a URL or a form. Throws 400 for what no list page sends. */
export const criteriaIn = (text: string): Record<string, unknown> => {
  const value = parsedJson(text)
  if (!fits(createWatch.input.properties.criteria as Parameters<typeof fits>[0], value))
    throw badRequest('These criteria cannot be read. Open the list again and choose “Watch this search”.')
  return value as Record<string, unknown>
}

/** What the form has besides the watch: the criterion with its own field, and the problems of its value. */
interface FormState {
  bound?: string | undefined
  problems?: HtmlValue[]
}

const watchIn = (
  field: (name: string, maxLength?: number) => string,
): [NewWatch, FormState & { problems: HtmlValue[] }] => {
  const on = watchTriggers.filter((each) => field(`on-${each}`) !== '')
  if (on.length === 0) throw badRequest('Choose at least one change to announce.')
  const kind = oneOf({ kind: field('kind') }, 'kind', watchKinds) ?? 'listings'
  const problems: HtmlValue[] = []
  const bound = isCriterion(field('bound')) ? field('bound') : undefined
  const bounded = bound === undefined ? {} : readCriteria(kind, { [bound]: field(bound) }, problems)
  const watch = {
    name: field('name', 80),
    kind,
    criteria: { ...criteriaIn(field('criteria', longText)), ...bounded },
    on,
    cadence: watchCadences.find((each) => each === field('cadence')) ?? 'daily',
    channels: { email: field('email') !== '', atom: field('atom') !== '' },
    ...(field('assumptionSet') === '' ? {} : { assumptionSet: field('assumptionSet') }),
    ...(field('note', 2_000) === '' ? {} : { note: field('note', 2_000) }),
  }
  return [watch, { bound, problems }]
}

const formOf = async (visit: Visit, key: AccountKey, watch: NewWatch, { bound = '', problems = [] }: FormState) => {
  const context = visit.as(key)
  // Without the invalid criterion, it would be a different search.
  const data =
    problems.length > 0 ? undefined : (await runOperation(createWatch, context, { ...watch, dryRun: true })).data
  const { kind, criteria = {}, on = [], cadence, channels = {}, note } = watch
  const triggers = kind === 'permits' ? permitTriggers : watchTriggers
  const checked = (is: boolean | undefined) => (is ? html` checked` : '')
  const { [bound]: _, ...others } = criteria as Record<string, unknown>
  return html`${problemList(problems)}<p class="lede">${capitalized(kindWords[kind])}: ${criteriaText({ criteria }) || 'all'}</p>
${
  data &&
  html`<p>${data.matchesNow === 1 ? `1 ${kind === 'permits' ? 'permit' : 'home'} matches` : `${count(data.matchesNow)} ${kind === 'permits' ? 'permits' : 'homes'} match`} now${data.perWeek === undefined ? '' : `; in the last weeks it would have announced about ${data.perWeek} a week`}.</p>
${data.notes.map((text) => html`<p class="caution">${text}</p>`)}`
}${keepNote(visit)}
<form class="watch-form" method="post" action="/account/watches/create">${visit.token}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="criteria" value="${JSON.stringify(others)}">
<label>Name<input name="name" required maxlength="80" value="${watch.name}"></label>
${visit.user.keys.length > 1 ? html`<label>Key<select name="key">${visit.user.keys.map((each) => html`<option value="${each.id}"${each.id === key.id ? html` selected` : ''}>${keyName(each)} (${each.plan})</option>`)}</select></label>` : html`<input type="hidden" name="key" value="${key.id}">`}
${bound && html`<input type="hidden" name="bound" value="${bound}">${formField(kind, bound, criteria)}<p class="note">Your list was sorted by this figure. The proposed limit is the value of its tenth home today, or 0 if that home loses money. Clear the field to be notified about every home.</p>`}
<fieldset><legend>Tell me when a ${kind === 'permits' ? 'permit' : 'home'}</legend>${triggers.map((each) => html`<label class="check"><input type="checkbox" name="on-${each}" value="1"${checked(on.includes(each))}> ${triggerWords[each]}</label>`)}</fieldset>
<fieldset><legend>How</legend><label class="check"><input type="checkbox" name="email" value="1"${checked(channels.email)}> Mail to ${key.email}${visit.site.sendsMail ? '' : ' (this server sends no mail)'}</label><label class="check"><input type="checkbox" name="atom" value="1"${checked(channels.atom)}> Atom feed</label></fieldset>
${kind === 'permits' ? '' : await numbersField(visit, key, watch.assumptionSet)}
<label>How often<select name="cadence">${watchCadences.map((each) => html`<option value="${each}"${each === cadence ? html` selected` : ''}>${each}${each === 'instant' ? ' (Pro)' : ''}</option>`)}</select></label><p class="note"><a href="/plans">Plans</a>. Daily matches go out at ${announcedAtHour}:00 UTC, weekly ones on Mondays.</p>
<label>Note<textarea name="note" maxlength="2000" rows="2">${note}</textarea></label>
<p><button class="button">Save watch</button> <button class="button quiet" formaction="/account/watches/preview">Preview</button> <a href="/account/watches">Cancel</a></p></form>
${data && (await pastTable(context, { ...watch, criteria, on }))}`
}

const pastTable = async (
  context: Context,
  watch: { kind: WatchKind; criteria: object; on: readonly WatchTrigger[]; assumptionSet?: string },
): Promise<Html> => {
  const past = await pastMatches(context, watch)
  return html`<h2>What it would have announced</h2>${matchTable(past, 'Nothing in the last 8 weeks.')}`
}

const matchTable = (matches: readonly PastMatch[], empty: string): Html =>
  matches.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<table class="data cards account-table" aria-label="Changes"><thead><tr><th scope="col">Record</th><th scope="col">Day</th><th scope="col">Change</th></tr></thead>
<tbody>${matches.map(({ title, path, at, reasons }) => html`<tr><th scope="row"><a href="${path}">${title}</a></th><td data-name="Day">${day(at)}</td><td data-name="Change">${reasons.join('. ')}</td></tr>`)}</tbody></table>`

const priceText = (price: number | undefined, before = price): string[] =>
  price === undefined ? [] : [before === price ? dollars(price) : `${dollars(before!)} to ${dollars(price)}`]

const oneWatch = async (visit: Visit, id: string): Promise<Html> => {
  const context = visit.as(ownKey(visit, textIn(visit.query, 'key') ?? ''))
  const { data: watch } = await runOperation(getWatch, context, { id })
  const { data: announced } = await runOperation(listWatchMatches, context, { id })
  const rows = announced.map(({ address, permitId, city, url, announcedAt, triggers, price, previous }) => ({
    title: `${address ?? `Permit ${permitId}`}, ${city}`,
    path: new URL(url).pathname,
    at: announcedAt,
    reasons: [...triggers.map((each) => triggerWords[each]), ...priceText(price, previous?.price)],
  }))
  return html`<p class="lede">${watch.name} (${kindWords[watch.kind]}: ${criteriaText(watch) || 'all'}). <a href="/account/watches">All watches</a></p>
<h2>Announced</h2>${matchTable(rows, 'Nothing yet.')}
${await pastTable(context, watch)}`
}

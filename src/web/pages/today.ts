// Today: what changed for a signed-in buyer, at the buyer's numbers.
import type { FastifyInstance } from 'fastify'
import { markets } from '../../domain/packs/markets.ts'
import {
  cappedText,
  dayMs,
  numbersText,
  soldText,
  type Today,
  type TodayHome,
  type TodaySection,
  todayMail,
  todayOf,
  todaySections,
} from '../../operations/today.ts'
import { stageWords } from '../account/saved-page.ts'
import { formToken, rememberPage } from '../account/session-cookie.ts'
import { contextWith, numbersOfVisitor, signedInVisitor } from '../account/visit.ts'
import { dateAndTime, plural, usd } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { integerIn, queryOf } from '../query.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'

const spans = [1, 3, 7, 30] as const

export const mountToday = (app: FastifyInstance, site: Site): void => {
  app.get('/today', async (request, reply) => {
    const days = spans.find((each) => each === integerIn(queryOf(request), 'days', 1, 30)) ?? 1
    const user = await signedInVisitor(site, request)
    const key = user?.chosen
    if (!key) {
      rememberPage(site, reply, `/today?days=${days}`)
      return sendPage(site, request, reply, { ...about, body: forVisitors })
    }
    const context = contextWith(site, request, key)
    const used = (await numbersOfVisitor(site, request))?.used
    const [today, isOn] = await Promise.all([
      todayOf(context, used, new Date(context.now.getTime() - days * dayMs)),
      todayMail.isOn(context),
    ])
    const numbers = numbersText(today, used)
    const names = today.markets.map((id) => markets().find((each) => each.id === id)?.name ?? id)
    reply.header('cache-control', 'private, no-store')
    return sendPage(site, request, reply, {
      ...about,
      body: html`<section class="today"><h1>Today</h1>
<p class="lede">${names.join(' and ')}, since ${dateAndTime(today.since.toISOString())}${numbers ? html`, ${numbers}` : ''}.</p>
<p class="spans">${spans.map((each, at) => html`${at > 0 ? ' · ' : ''}${each === days ? html`<b aria-current="true">${plural(each, 'day')}</b>` : html`<a href="/today?days=${each}">${plural(each, 'day')}</a>`}`)}</p>
${dealsSection(today, numbers !== undefined)}
${(Object.keys(todaySections) as TodaySection[]).map((name) => homesSection(name, today))}
${permitsSection(today)}
${nothingElse(today)}${today.isCapped ? html`<p class="note">${cappedText}</p>` : ''}
<section class="today-mail"><h2>By email</h2>
<form method="post" action="/account/saved/mail">${formToken(site, request, reply)}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="on" value="${isOn ? 'no' : 'yes'}">
<p>${isOn ? 'You get this once a day by email when something has changed.' : 'Get this once a day by email when something has changed.'} <button class="button quiet">${isOn ? 'Stop the daily email' : 'Email it to me daily'}</button></p></form>${key.confirmedAt === null ? html`<p class="note">Emails start after you confirm your email address.</p>` : ''}</section></section>`,
    })
  })
}

const about = {
  title: 'Today for buyers',
  description: 'What changed for you: new homes, price cuts, sale prices beside our values, permits near your deals.',
  path: '/today',
  private: true,
}

const forVisitors = html`<section class="today"><h1>Today</h1>
<p class="lede">What changed since yesterday, for you: new homes, price cuts, homes that are back, sale prices beside our estimates of the day of listing, permits near your deals, and deals whose decision changed. It uses your own numbers.</p>
<p><a class="button" href="/account/sign-in">Sign in or create an account</a></p></section>`

const dealsSection = ({ deals }: Today, hasNumbers: boolean): Html =>
  html`<section><h2>Your deals${hasNumbers ? ', at market numbers' : ''}</h2>${
    deals.length > 0
      ? html`<ul class="today-list">${deals.map(
          ({ deal, changes }) =>
            html`<li><a href="/properties/${deal.propertyId}">${deal.address}, ${deal.city}</a> <span class="tag">${stageWords[deal.stage]}</span>${deal.now.decision ? html`<p>${deal.now.decision.text}</p>` : ''}<p class="note">${changes.map(({ text }) => `${text}.`).join(' ')}</p></li>`,
        )}</ul>`
      : html`<p class="empty">No decision about your deals changed. <a href="/account/saved">Your deals</a></p>`
  }</section>`

const homesSection = (name: TodaySection, { sections }: Today): Html => {
  const { homes, more } = sections[name]
  if (homes.length === 0) return html``
  return html`<section><h2>${todaySections[name]} <span class="num">${homes.length + more}</span></h2><ul class="today-list">${homes.map(
    (home) =>
      html`<li><a href="/properties/${home.id}">${home.address}, ${home.city}</a> ${priceText(home)}<p>${name === 'sold' ? `${soldText(home)}.` : home.decision}</p></li>`,
  )}</ul>${more > 0 ? html`<p class="note">And ${more} more. <a href="/explore">Explore</a></p>` : ''}</section>`
}

const priceText = ({ price, previousPrice, sold }: TodayHome): Html =>
  sold
    ? html``
    : html`<b class="num">${usd(price)}</b>${previousPrice === undefined ? '' : html` <s class="num">${usd(previousPrice)}</s>`}`

const permitsSection = ({ permits }: Today): Html =>
  permits.shown.length === 0
    ? html``
    : html`<section><h2>Permits within half a mile of your deals <span class="num">${permits.shown.length + permits.more}</span></h2><ul class="today-list">${permits.shown.map(({ title, text, near, miles, citySlug, permitId }) => html`<li><a href="/permits/${citySlug}/${encodeURIComponent(permitId)}">${title}</a><p class="note">${text}, ${miles} miles from ${near}</p></li>`)}</ul>${permits.more > 0 ? html`<p class="note">And ${permits.more} more, farther away. <a href="/permits">Permits</a></p>` : ''}</section>`

/** What did not happen, in one sentence. */
const nothingElse = ({ sections, permits }: Today): Html => {
  const empty = [
    ...(Object.keys(todaySections) as TodaySection[])
      .filter((name) => sections[name].homes.length === 0)
      .map((name) => nothing[name]),
    ...(permits.shown.length === 0 ? ['permits within half a mile of your deals'] : []),
  ]
  return empty.length === 0 ? html`` : html`<p class="note">No ${empty.join(', no ')}.</p>`
}

const nothing: Readonly<Record<TodaySection, string>> = {
  fresh: 'new homes',
  cut: 'price cuts',
  back: 'homes back on the market',
  sold: 'sales',
}

// The address box: leads to the page of any property, for sale or not. An exact match opens it; otherwise the candidates are listed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closestName } from '../../common/suggest.ts'
import { cities, marketById } from '../../domain/packs/markets.ts'
import { addressSuggestions } from '../../operations/lookup.ts'
import type { LookupCandidate, LookupResult } from '../../wire/lookup.ts'
import { lookUpAddress } from '../../wire/operations/lookup.ts'
import { type Html, html } from '../html.ts'
import { queryOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'

export interface Suggestion {
  address: string
  city: string
  url: string
}

/** Suggestions while typing, per client IP address. They do not count as pages. */
const suggestionLimit = { bucket: 'find', perMinute: 120 }

const propertyPath = (id: string): string => `/properties/${encodeURIComponent(id)}`

export const mountFind = (app: FastifyInstance, site: Site): void => {
  const lookUp = async (request: FastifyRequest) => {
    const typed = textIn(queryOf(request), 'address', 300) ?? ''
    if (typed === '') return { asked: typed, suggestions: [] }
    const by = isParcelNumber(typed) ? { apn: typed } : { address: typed }
    const context = contextOf(site, request)
    const { data: found } = await runOperation(lookUpAddress, context, by)
    const isFound = found.candidates.length > 0
    // A street of the same name is no suggestion for a place that is not covered.
    const homes = isFound || found.covered === false ? found.candidates : await addressSuggestions(context, typed)
    const addresses = homes.map(({ id, address, city }) => ({ address, city, url: propertyPath(id) }))
    const named = citiesNamed(typed)
    return { asked: typed, found, suggestions: isFound ? [...addresses, ...named] : [...named, ...addresses] }
  }

  app.get('/find', async (request, reply) => {
    const { asked: typed, found, suggestions } = await lookUp(request)
    if (found?.match === 'exact') return reply.redirect(propertyPath(found.candidates[0]!.id), 303)
    return sendPage(site, request, reply, {
      title: typed ? `Find: ${typed}` : 'Find a property',
      description: 'Find any property by street address or parcel number, for sale or not.',
      path: '/find',
      private: typed !== '',
      body: html`<section class="find-page"><h1>Find a property</h1>${findForm(typed)}
${found ? resultOf(typed, found, suggestions) : html`<p>Enter a street address, with or without city and ZIP code, or an assessor’s parcel number.</p>`}</section>`,
    })
  })

  app.get('/find.json', { config: { ownLimit: suggestionLimit } }, async (request, reply) => {
    const { found, suggestions } = await lookUp(request)
    return reply.header('cache-control', 'no-store').send({ match: found?.match ?? 'none', properties: suggestions })
  })
}

/** The form of the home page and of the page itself. The header has a smaller one. */
export const findForm = (
  typed = '',
): Html => html`<form class="find-box" role="search" aria-label="Address" action="/find" data-find>
<label for="find-address">Street address or parcel number</label>
<div><input id="find-address" name="address" type="search" value="${typed}" maxlength="300" placeholder="123 Main St" autocomplete="off"><button class="button">Find</button></div>
<ul data-suggestions hidden></ul></form>`

/** The lists of the cities whose name was typed instead of an address; two states may share a name. */
const citiesNamed = (typed: string): Suggestion[] => {
  const name = closestName(
    typed,
    cities().map((city) => city.name),
  )
  return cities()
    .filter((city) => city.name === name)
    .map((city) => ({ address: city.name, city: marketById(city.market)!.name, url: `/explore?city=${city.slug}` }))
}

/** Parcel numbers have digits and separators only; an address has a street name. */
const isParcelNumber = (text: string): boolean => /^[\d\s.-]{6,}$/.test(text) && /\d{3}/.test(text)

const resultOf = (typed: string, { match, candidates, covered }: LookupResult, suggestions: readonly Suggestion[]) => {
  if (candidates.length > 0)
    return html`<p role="status">${(candidates.length === 1 && onlyMatchWords[match]) || matchWords[match]}</p><ul class="find-results">${candidates.map(candidateItem)}</ul>`
  if (suggestions.length > 0)
    return html`<p role="status">No property at “${typed}”. Did you mean:</p><ul class="find-results">${suggestions.map(({ address, city, url }) => html`<li><a href="${url}">${address}</a> <span>${city}</span></li>`)}</ul>`
  return html`<p role="status">No property at “${typed}”.</p>
<p>${covered === false ? html`This place is not in a market of this service. <a href="/coverage">See what is covered</a>` : 'Check the number and the spelling, or add the city. Suggestions appear while you type.'}</p>`
}

const matchWords: Record<LookupResult['match'], string> = {
  exact: 'One property matches.',
  unit_missing: 'This building has several homes. Choose one:',
  ambiguous: 'This address can mean more than one property. Choose one:',
  near: 'There is no property at exactly this address. The nearest on the same street:',
  fuzzy: 'No street has exactly this name. Did you mean:',
  none: 'No property matches.',
}

/** For one candidate. */
const onlyMatchWords: Partial<typeof matchWords> = {
  unit_missing: 'No home with this unit. At this address there is:',
  ambiguous: 'Another city has a street of this name. Its only home with this number:',
}

const candidateItem = ({ id, address, city, apn }: LookupCandidate): Html =>
  html`<li><a href="${propertyPath(id)}">${address || `Parcel ${apn}`}</a> <span>${city}</span>${apn ? html` <small>Parcel ${apn}</small>` : ''}</li>`

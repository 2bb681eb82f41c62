// Checks that a row lies where its market and city are. A source for the wrong place would otherwise fill a market with homes
// that are far away.
import { distanceMi } from '../domain/distance.ts'
import type { MarketId } from '../domain/facts.ts'
import { type Box, findCity, type LatLng, markets } from '../domain/packs/markets.ts'

/** Degrees around a box, about 35 miles: an operator may add cities around a market that are not in its list. */
const marketMargin = 0.5
/** A city's box covers where people live; its hills and the parcels around it are often addressed to it. */
const cityMargin = 0.1

type Location = { at: 'inside' } | { at: 'outside_market' | 'outside_city'; reason: string }

export const locate = (market: MarketId, cityName: string, lat: number, lng: number): Location => {
  const entry = markets().find(({ id }) => id === market)
  const city = findCity(cityName)
  if (entry && !isWithin(entry.box, marketMargin, lat, lng)) {
    const box = `${entry.box.south} to ${entry.box.north}, ${entry.box.west} to ${entry.box.east}`
    const reason = `the point ${short(lat)}, ${short(lng)} is about ${milesText(entry.center, { lat, lng })} from ${entry.name} (${box}); check "market" and the coordinates`
    return { at: 'outside_market', reason }
  }
  if (city && city.market === market && !isWithin(city.box, cityMargin, lat, lng))
    return { at: 'outside_city', reason: `not in or near ${city.name}` }
  return { at: 'inside' }
}

export const isWithin = ({ south, north, west, east }: Box, margin: number, lat: number, lng: number): boolean =>
  lat >= south - margin && lat <= north + margin && lng >= west - margin && lng <= east + margin

const short = (degrees: number): string => degrees.toFixed(4)

const milesText = (from: LatLng, to: LatLng): string =>
  `${Math.round(distanceMi(from, to)).toLocaleString('en-US')} miles`

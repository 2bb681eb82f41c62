// The element in which the browser opens a map. Without JavaScript or WebGL it shows the fallback.
import type { Bounds } from '../criteria/geometry.ts'
import type { LeadLayer } from '../operations/map-listings.ts'
import type { MapLayer } from '../operations/map-tiles.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'
import { pmtilesPath } from './tiles/pmtiles-file.ts'

/** The full attribution is on the Coverage page. */
const attribution = '© OpenStreetMap contributors'

export type NamedOverlay = LeadLayer | 'permits' | 'zoning' | 'aerial'
/** Leads of a kind, permits, the zoning district of each lot, the operator's aerial layer, or a map layer by the id of its source. */
export type Overlay = NamedOverlay | `map:${string}`

interface MapPanel {
  id?: string
  className?: string
  /** CSS selector of the list whose items are the markers. */
  places?: string
  /** Where the map starts when the list has no positions. */
  box?: Bounds
  /** Slug of the only city that its layers show. */
  city?: string | undefined
  /** The property that the list is about. */
  subject?: { lat: number; lng: number; name: string }
  /** What the map shows besides the places: in Explore the layers to choose from, else the one that is shown. */
  overlays?: readonly Overlay[]
  /** The map layers among them. */
  layers?: readonly MapLayer[]
  fallback?: Html
}

export const mapPanel = (
  { mapStyleUrl, mapPmtiles, mapAerial }: Pick<Site, 'mapStyleUrl' | 'mapPmtiles' | 'mapAerial'>,
  { id, className = '', places, box, city, subject, overlays, layers, fallback = noMap }: MapPanel,
): Html =>
  html`<div class="map-panel ${className}"${attribute('id', id)}${attribute('data-places', places)}${attribute('data-overlays', overlays?.join())}${attribute('data-layers', layers && JSON.stringify(layers))}${attribute('data-city', city)}${attribute('data-box', box && [box.west, box.south, box.east, box.north].join())}${subject ? html`${attribute('data-subject', `${subject.lng},${subject.lat}`)}${attribute('data-subject-name', subject.name)}` : ''} data-attribution="${attribution}"${overlays?.includes('aerial') ? html`${attribute('data-aerial', mapAerial?.url)}${attribute('data-aerial-attribution', mapAerial?.attribution)}` : ''}${mapStyleUrl ? attribute('data-style', mapStyleUrl) : attribute('data-pmtiles', mapPmtiles && pmtilesPath)}>${fallback}</div>`

const attribute = (name: string, value: string | undefined): Html =>
  value === undefined ? html`` : html` ${name}="${value}"`

const noMap = html`<p class="no-map"><span class="scripted" data-loading>Loading the map…</span><noscript>The map needs JavaScript.</noscript></p>`

type Place = Record<'label' | 'name', string> & { lat?: number; lng?: number; level?: string; status?: string }

/** The data attributes of an item that the map shows. */
export const placeAttributes = ({ lat, lng, label, name, level, status }: Place): Html =>
  lat === undefined || lng === undefined
    ? html``
    : html` data-lat="${lat}" data-lng="${lng}" data-label="${label}" data-name="${name}"${attribute('data-level', level)}${attribute('data-status', status)}`

export const viewSwitch = html`<div class="view-switch" role="group" aria-label="View" hidden data-views><button type="button" data-view="list" aria-pressed="true">List</button><button type="button" data-view="map" aria-pressed="false">Map</button></div>`

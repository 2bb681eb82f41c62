// The kinds of feeds, by their name in a source configuration.
import type { Holding } from '../domain/facts.ts'
import type { FieldRule, SourceKind } from '../domain/packs/source-config.ts'
import { arcgis } from './arcgis.ts'
import { bldsFields } from './blds.ts'
import { ckan } from './ckan.ts'
import { csv } from './csv.ts'
import { geojson } from './geojson.ts'
import { geotiff } from './geotiff.ts'
import { gtfs, gtfsFields } from './gtfs.ts'
import { openaddresses, openaddressesFields } from './openaddresses.ts'
import { redfin, redfinFields } from './redfin.ts'
import { reso, resoFields } from './reso.ts'
import { socrata } from './socrata.ts'
import type { Source } from './source.ts'
import { xml } from './xml.ts'

const kinds: Readonly<Record<SourceKind, Source>> = {
  socrata,
  arcgis,
  ckan,
  csv,
  geojson,
  reso,
  redfin,
  blds: csv,
  openaddresses,
  xml,
  gtfs,
  geotiff,
}

export const sourceOf = (kind: SourceKind): Source => kinds[kind]

type Fields = Readonly<Record<string, FieldRule>>

/** The default field mapping of a kind; a configuration gives only the differences. */
export const defaultFields = (kind: SourceKind, holds: Holding): Fields => ready[kind]?.[holds] ?? {}

const ready: Partial<Record<SourceKind, Partial<Record<Holding, Fields>>>> = {
  reso: resoFields,
  redfin: redfinFields,
  blds: bldsFields,
  openaddresses: openaddressesFields,
  gtfs: gtfsFields,
}

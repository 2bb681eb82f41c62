// Every kind of feed, by its name in a source's configuration.
import type { SourceKind } from '../contract/source-config.ts'
import { csv } from './csv.ts'
import type { Source } from './source.ts'

export const sourceOf = (kind: SourceKind): Source => kinds[kind] as Source

const kinds: Readonly<Record<string, Source>> = { csv }

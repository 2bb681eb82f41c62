// Links to properties in an answer, and the resource behind them.
import type { ResourceLink } from '@modelcontextprotocol/server'
import { cellText } from './clean.ts'

const propertyUri = (id: string): string => `lotline://property/${encodeURIComponent(id)}`

/** More links would cost more of the model's context than they help. */
const mostLinks = 5

export const propertyLinks = (homes: readonly { id: string; address: string; city: string }[]): ResourceLink[] =>
  homes.slice(0, mostLinks).map(({ id, address, city }) => ({
    type: 'resource_link',
    uri: propertyUri(id),
    name: cellText(`${address}, ${city}`, 120),
    mimeType: 'text/markdown',
  }))

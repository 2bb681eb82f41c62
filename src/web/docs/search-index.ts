// The sections of all documentation pages and of the reference, as the documentation search reads them. Built once.
import { Marked, type Token, type Tokens } from 'marked'
import { citySlug as slugOf } from '../../domain/packs/markets.ts'
import { webhookEvents } from '../../wire/events.ts'
import { operationList } from '../../wire/operations/list.ts'
import type { DocsSection } from '../browser/docs-search.ts'
import { inputFieldsOf } from '../contract-fields.ts'
import { guidePages, guideText } from './guide.ts'
import { eventsPath, referenceUrlOf } from './reference.ts'

let sections: DocsSection[] | undefined

export const docsSections = (): DocsSection[] => {
  sections ??= [
    ...guidePages().flatMap(({ path, file, title }) => sectionsOf(title, path, guideText(file))),
    ...operationList.map((operation) => ({
      page: 'API reference',
      heading: operation.title,
      url: referenceUrlOf(operation),
      text: [
        `${operation.method} ${operation.path}`,
        operation.summary,
        operation.description ?? '',
        inputFieldsOf(operation)
          .map(({ name, schema }) => `${name}: ${schema.description ?? ''}`)
          .join('. '),
      ].join(' '),
    })),
    ...Object.entries(webhookEvents).map(([name, { summary }]) => ({
      page: 'API reference',
      heading: `Event ${name}`,
      url: `${eventsPath}#event-${name}`,
      text: summary,
    })),
  ]
  return sections
}

const sectionsOf = (page: string, path: string, markdown: string): DocsSection[] => {
  const found: DocsSection[] = [{ page, url: path, text: '' }]
  for (const token of new Marked({ gfm: true }).lexer(markdown)) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth > 1) {
      const { text } = token as Tokens.Heading
      found.push({ page, heading: text.replaceAll('`', ''), url: `${path}#${slugOf(text)}`, text: '' })
    } else if (token.type !== 'heading') found.at(-1)!.text += ` ${plainText(token)}`
  }
  return found.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
}

const plainText = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map((cell) => cell.tokens.map(plainText).join('')).join(' ')).join('. ')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => item.tokens.map(plainText).join('')).join('. ')
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('')
  return 'text' in token ? String(token.text) : ' '
}

// Relative links between the Markdown files lead somewhere, on disk and on the documentation pages.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { citySlug as slugOf } from '../../src/domain/packs/markets.ts'
import { guideAt, guidePages } from '../../src/web/docs/guide.ts'
import { textOf } from '../../src/web/html.ts'

const root = join(import.meta.dirname, '../..')
const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })]

const linksIn = (text: string): string[] => {
  const found: string[] = []
  const marked = new Marked()
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') found.push(token.href)
  })
  return found
}

const headingsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) => slugOf(text!))

test.each(files)('%s links to files and headings that exist', (file) => {
  const broken = linksIn(readFileSync(join(root, file), 'utf8')).filter((href) => {
    if (/^(https?:|\/)/.test(href)) return false
    const [path, heading] = href.split('#')
    const target = path ? join(root, dirname(file), path) : join(root, file)
    return !existsSync(target) || (heading !== undefined && !headingsIn(target).includes(heading))
  })
  expect(broken).toEqual([])
})

const pageAt = (path: string): string => textOf(guideAt(path, 'http://lotline.test')!.content.body)

test.each(guidePages())('$path keeps its links to other pages', ({ path, file }) => {
  const expected = linksIn(readFileSync(join(root, 'docs', file), 'utf8'))
  expect([...pageAt(path).matchAll(/<a href="[^"]+"/g)]).toHaveLength(expected.length)
})

test('a method page links to its research notes', () => {
  expect(pageAt('/docs/methods/valuation')).toContain('href="/docs/research/valuation"')
})

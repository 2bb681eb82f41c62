// The documentation pages and their content: guides, methods and research notes from docs/, and the changelog.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { valueAt } from '../../common/typed.ts'
import { type MarkdownPage, renderMarkdown } from './markdown.ts'

const docsDir = join(dirname(fileURLToPath(import.meta.url)), '../../../docs')

type Section = 'guide' | 'methods' | 'research'
export type GuidePage = ReturnType<typeof describe>

/** In the order of the navigation. */
const guides: Readonly<Record<string, string>> = {
  '/docs': 'guide/quick-start.md',
  '/docs/authentication': 'guide/authentication.md',
  '/docs/limits': 'guide/limits.md',
  '/docs/pagination': 'guide/pagination.md',
  '/docs/criteria': 'search.md',
  '/docs/exports': 'exports.md',
  '/docs/lookup': 'guide/lookup.md',
  '/docs/errors': 'guide/errors.md',
  '/docs/webhooks': 'guide/webhooks.md',
  '/docs/agents': 'guide/agents.md',
  '/docs/changelog': '../CHANGELOG.md',
}

let pages: GuidePage[] | undefined

export const guidePages = (): GuidePage[] => {
  pages ??= [
    ...Object.entries(guides).map(([path, file]) => describe('guide', file, path)),
    ...(['methods', 'research'] as const).flatMap((section) =>
      namesIn(section).map((name) => describe(section, `${section}/${name}.md`, `/docs/${section}/${name}`)),
    ),
  ]
  return pages
}

const namesIn = (section: string): string[] => {
  const dir = join(docsDir, section)
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.md') && name.toLowerCase() !== 'readme.md')
    .map((name) => name.slice(0, -3))
    .sort()
}

const describe = (section: Section, file: string, path: string) => {
  const { title, summary } = renderMarkdown(guideText(file), '', (href) => href)
  return { path, section, file, title, summary }
}

export const guideText = (file: string): string => readFileSync(join(docsDir, file), 'utf8')

const rendered = new Map<string, MarkdownPage>()

export const guideAt = (path: string, publicUrl: string) => {
  const page = guidePages().find((each) => each.path === path)
  if (!page) return undefined
  const render = () => renderMarkdown(guideText(page.file), publicUrl, linkTo(page.section))
  return { page, content: valueAt(rendered, `${path} ${publicUrl}`, render) }
}

/** Turns a link to a Markdown file into a link to its page. */
const linkTo = (section: Section) => (href: string) => {
  const match = /^(?:\.\.\/)?(?:(guide|methods|research)\/)?([\w-]+)\.md(#.*)?$/.exec(href)
  if (!match) return href
  const [, folder = section, name, fragment = ''] = match
  const target = guidePages().find((each) => each.file === `${folder}/${name}.md`)
  return target ? target.path + fragment : ''
}

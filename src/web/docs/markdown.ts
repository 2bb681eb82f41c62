// Renders our Markdown files as HTML. Raw HTML in them is escaped, and only http(s), path and fragment links are kept.
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../common/escape-html.ts'
import { citySlug as slugOf } from '../../domain/packs/markets.ts'
import { raw } from '../html.ts'

/** The base URL in the Markdown files; pages replace it with the public URL of the service. */
export const exampleBaseUrl = 'http://localhost:3000'

export type MarkdownPage = ReturnType<typeof renderMarkdown>

export const renderMarkdown = (text: string, publicUrl: string, linkTo: (href: string) => string) => {
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: ({ text: tag }) => escapeHtml(tag),
      image: ({ text: alt }) => escapeHtml(alt),
      link(token) {
        const href = linkTo(token.href)
        const inner = this.parser.parseInline(token.tokens)
        return /^(https?:\/\/|\/|#)/.test(href) ? `<a href="${escapeHtml(href)}">${inner}</a>` : inner
      },
      heading(token) {
        const inner = this.parser.parseInline(token.tokens)
        return `<h${token.depth} id="${slugOf(token.text)}">${inner}</h${token.depth}>\n`
      },
      code: ({ text: code, lang }) => {
        const language = lang?.split(' ')[0] ?? ''
        return `<pre class="code" data-copy tabindex="0"${language ? ` data-language="${escapeHtml(language)}"` : ''}><code>${escapeHtml(code.replaceAll(exampleBaseUrl, publicUrl))}</code></pre>\n`
      },
      codespan: ({ text: code }) => `<code>${escapeHtml(code.replaceAll(exampleBaseUrl, publicUrl))}</code>`,
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
          row
            .map((cell) =>
              tag === 'td' || cell.text === ''
                ? `<td>${this.parser.parseInline(cell.tokens)}</td>`
                : `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
            )
            .join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table: ${escapeHtml(token.header.map((cell) => cell.text.replace(/[`*]/g, '')).join(', '))}"><table class="data"><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(text)
  const first = tokens.find((token) => token.type === 'heading') as Tokens.Heading | undefined
  const lead = tokens.find((token) => token.type === 'paragraph') as Tokens.Paragraph | undefined
  return {
    title: first?.text ?? 'Untitled',
    /** The first paragraph as plain text. */
    summary: (lead?.text ?? '').replace(/\s+/g, ' ').replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1'),
    body: raw(marked.parser(tokens)),
  }
}

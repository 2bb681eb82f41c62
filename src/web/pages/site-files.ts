// Files for crawlers and browsers: robots.txt, sitemap.xml, llms.txt, the icon.
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../common/escape-html.ts'
import { cities, marketsInWords } from '../../domain/packs/markets.ts'
import { sitemapRecords } from '../../operations/data-status.ts'
import { operationList } from '../../wire/operations/list.ts'
import { plans } from '../../wire/plans.ts'
import { codeSample } from '../browser/code-samples.ts'
import { cached } from '../cached.ts'
import { guidePages, guideText } from '../docs/guide.ts'
import { exampleBaseUrl } from '../docs/markdown.ts'
import { exampleCall, exampleResponse } from '../docs/operation-samples.ts'
import { favicon } from '../shell.ts'
import type { Site } from '../site.ts'

/** At most 50,000 URLs per sitemap file (sitemaps.org), including our own pages. */
const maxSitemapUrls = { properties: 15_000, permits: 30_000 }

export const mountSiteFiles = (app: FastifyInstance, site: Site): void => {
  const { services } = site
  const sitemap = cached(600_000, () => sitemapOf(site))

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /api/\nDisallow: /confirm/\nDisallow: /unsubscribe/\nDisallow: /feeds/\nDisallow: /tiles/\n\nSitemap: ${services.publicUrl}/sitemap.xml\n`,
      ),
  )

  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=600')
      .send(await sitemap()),
  )

  app.get('/llms.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(llmsText(site)))

  app.get('/llms-full.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(llmsFullText(site)))

  app.get('/favicon.svg', async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(favicon),
  )
}

const sitemapOf = async (site: Site): Promise<string> => {
  const { publicUrl } = site.services
  const { propertyIds, permits } = await sitemapRecords(site.services, maxSitemapUrls)
  const pages = site.pages.flatMap(({ path, sitemap }) => (sitemap === true ? [path] : (sitemap?.() ?? [])))
  const entry = (path: string, changed?: string) =>
    `<url><loc>${escapeHtml(publicUrl + path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</url>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((path) => entry(path)).join('')}${propertyIds.map((id) => entry(`/properties/${encodeURIComponent(id)}`)).join('')}${permits
  .map(({ citySlug, permitId, issuedOn }) => entry(`/permits/${citySlug}/${encodeURIComponent(permitId)}`, issuedOn))
  .join('')}</urlset>
`
}

/** The llmstxt.org format: a title, a summary, then links that a model can follow. */
const llmsText = ({ pages, services: { publicUrl } }: Site): string => `# Lotline

> Real-estate intelligence ${marketsInWords()}: listings ranked by teardown and flip potential, building permits, and SB 9, ADU and redevelopment leads. Every score is explained. Not an appraisal, not legal advice.

The API is at ${publicUrl}/api. Send an API key in the x-api-key header. To try the API, use the key "demo" (${plans.demo.maxResults} results per page, ${plans.demo.requestsPerMinute} requests per minute). POST {"email": "…"} to ${publicUrl}/api/v1/keys for a free key (${plans.free.maxResults} results per page, ${plans.free.requestsPerMinute} requests per minute, the last ${plans.free.historyDays} days of permits and sales).
Cities: ${cities()
  .map(({ name }) => name)
  .join(', ')}.

## API

- [All documentation in one file](${publicUrl}/llms-full.txt)
- [OpenAPI 3.1](${publicUrl}/openapi.json): all paths, fields and errors
- [Reference](${publicUrl}/docs/reference): the same as a web page
- MCP over streamable HTTP: ${publicUrl}/mcp

${operationList.map(({ method, path, summary }) => `- ${method} ${publicUrl}/api${path}: ${summary}`).join('\n')}

## Guides

${guidePages()
  .map(({ path, title, summary }) => `- [${title}](${publicUrl}${path}): ${summary}`)
  .join('\n')}

## Pages

${pages.map(({ path, navigation, summary }) => (summary ? `- [${navigation}](${publicUrl}${path}): ${summary}\n` : '')).join('')}`

/** All guides, methods and operations with their example request and response, in one text. */
const llmsFullText = (site: Site): string => {
  const { publicUrl } = site.services
  return [
    llmsText(site),
    ...guidePages()
      .filter(({ section }) => section !== 'research')
      .map(({ file }) => guideText(file).trim()),
    '# API reference',
    ...operationList.map((operation) => {
      const call = exampleCall(operation, `${publicUrl}/api`)
      return `## ${operation.title}

${operation.method} ${operation.path}

${[operation.summary, operation.description ?? ''].join(' ').trim()}

\`\`\`sh
${codeSample('curl', call)}
\`\`\`

\`\`\`json
${exampleResponse(operation, publicUrl)}
\`\`\``
    }),
  ]
    .join('\n\n')
    .replaceAll(exampleBaseUrl, publicUrl)
}

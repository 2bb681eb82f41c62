// Finds and starts Chromium: the program in CHROMIUM, or one in the usual places, first the headless shell, which takes
// half the processor time.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const candidates = [
  process.env.CHROMIUM,
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
]

export const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path))

if (!chromiumPath)
  process.stderr.write(
    'SKIPPED: browser tests need Chromium (apt-get install chromium, or set CHROMIUM to its path).\n',
  )

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      // The map needs WebGL; this renders it in software.
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

export interface Watched {
  page: Page
  /** Console errors, uncaught exceptions and requests to other hosts while the page was open. */
  problems: string[]
}

export const watchedPage = async (context: BrowserContext, origin: string): Promise<Watched> => {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) problems.push(`other host: ${url}`)
  })
  return { page, problems }
}

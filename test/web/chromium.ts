// A real Chromium, where there is one: Debian's package, or what CHROMIUM names.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const chromiumPath = places.find((path) => path !== undefined && existsSync(path))

if (!chromiumPath)
  process.stderr.write(
    'SKIPPED: browser tests, for there is no Chromium here (apt-get install chromium, or set CHROMIUM).\n',
  )

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      // Software rendering for the map.
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
  /** What went wrong while the page was open: console errors, uncaught exceptions, requests to another host. */
  faults: string[]
}

export const watchedPage = async (context: BrowserContext, origin: string): Promise<Watched> => {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`elsewhere: ${url}`)
  })
  return { page, faults }
}

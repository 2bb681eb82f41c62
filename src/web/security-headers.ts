// What pages allow the browser to do: our own scripts, styles and fonts, and nothing inline or from elsewhere.
import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Site } from './site.ts'

export const securityHeaders = ({ services, mapStyleUrl }: Site): FastifyHelmetOptions => {
  // A real base map brings tiles, glyphs and sprites from hosts only its style knows.
  const mapHosts = mapStyleUrl ? ['https:', new URL(mapStyleUrl).origin] : []
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        // The map library's buttons are data addresses in its stylesheet.
        imgSrc: ["'self'", 'data:', 'blob:', ...mapHosts],
        connectSrc: ["'self'", ...mapHosts],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    hsts: services.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  }
}

// The content security policy: scripts, styles and fonts from this server only, nothing inline.
import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Site } from './site.ts'

export const securityHeaders = ({ services, mapStyleUrl, mapAerial, photoHosts = [] }: Site): FastifyHelmetOptions => {
  // A custom map style loads tiles, glyphs and sprites from hosts that only the style document names.
  const mapHosts = [
    ...(mapStyleUrl ? ['https:', new URL(mapStyleUrl).origin] : []),
    ...(mapAerial ? [new URL(mapAerial.url).origin] : []),
  ]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        // The stylesheet of the map library contains its button images as data: URLs.
        imgSrc: ["'self'", 'data:', 'blob:', ...photoHosts.map((host) => `https://${host}`), ...mapHosts],
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

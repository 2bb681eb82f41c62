// The HTML frame of a mail: inline styles and tables only, since mail programs drop the rest.

export const mailPage = (body: string): string =>
  `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:40em;color:#1d2530">${body}</body></html>`

// What a reader of a page sees, as lines that can be reviewed: texts, links, fields and drawings. Class names that only style it,
// hidden labels of assistive technology and the frame of the page are left out.

/** These begin a line of their own. */
const blocks =
  /^(h[1-6]|p|li|tr|form|table|section|article|aside|header|details|summary|dt|dd|div|fieldset|legend|blockquote|pre|select|figure|figcaption|svg|label|input|textarea|button|nav|ol|ul|caption)$/
/** Each says something in itself. */
const shown = [
  'type',
  'name',
  'value',
  'method',
  'action',
  'href',
  'placeholder',
  'aria-current',
  'aria-label',
  'max',
  'min',
  'step',
  'd',
  'points',
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'cx',
  'cy',
  'r',
  'width',
  'height',
  'viewBox',
  'transform',
]
const flags = ['checked', 'selected', 'required', 'open', 'hidden', 'download']
const meanings = /\b(down|up|warn|active|pending|sold|withdrawn|coming_soon|caution|empty|default)\b/

const decoded = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]!,
  )

const attributesOf = (tag: string): string => {
  const given = new Map([...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value]) => [name, value]))
  const data = [...given.keys()].filter((name) => name.startsWith('data-'))
  const words = [
    ...[...shown, ...data].flatMap((name) => {
      const value = given.get(name)
      return value === undefined || (name === 'type' && value === 'hidden') ? [] : [`${name}=${decoded(value)}`]
    }),
    ...[...flags, ...data].filter((name) => given.has(name) && given.get(name) === undefined),
  ]
  const meaning = meanings.exec(given.get('class') ?? '')?.[0]
  return [...words, ...(meaning ? [`.${meaning}`] : [])].join(' ')
}

/** The lines of `<main>`, or of the whole text where there is none. */
export const outline = (body: string): string => {
  const main = /<main[^>]*>([\s\S]*?)<\/main>/.exec(body)?.[1] ?? body
  const text = main
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(
      /<(\/?)([a-z0-9]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi,
      (_, closes: string, name: string, rest: string) => {
        if (/^(path|line|rect|circle|polygon|polyline|text|g)$/.test(name))
          return closes
            ? ''
            : ` ${name === 'text' || name === 'g' ? '' : '/'} ${attributesOf(rest).replace(/^d=/, '')} `
        if (name === 'option') return closes ? '' : `; ${attributesOf(rest).replace(/^value=/, '')}=`
        if (closes) return blocks.test(name) ? '\n' : /^t[dh]$/.test(name) ? ' | ' : name === 'a' ? '\u0001' : ''
        const attributes = attributesOf(rest)
        if (name === 'a') return `\u0001[${attributes.replace(/^href=/, '')}] `
        const label = attributes ? `${name === 'tr' || name === 'li' || name === 'p' ? '' : name} ${attributes}: ` : ''
        if (blocks.test(name))
          return `\n${/^(h[1-6]|li|tr|p|dt|dd|div|section|label)$/.test(name) && !attributes ? (/^(h[1-6]|li)$/.test(name) ? `${name} ` : '') : label || `${name}: `}`
        return attributes && name !== 'th' && name !== 'td' ? `{${attributes}} ` : ''
      },
    )
  return text
    .replaceAll('\u0001', ' ')
    .split('\n')
    .map((line) =>
      decoded(line)
        .replace(/\s+/g, ' ')
        .replace(/( \|)+ ?$/, '')
        .trim(),
    )
    .filter(
      (line) =>
        !/^((h\d|li|tr|p|dt|dd|div|ul|ol|form|table|section|article|aside|header|details|summary|figure|fieldset|nav|select|button):?)?$/.test(
          line,
        ),
    )
    .join('\n')
}

/** Lines that an earlier text of the list has are counted, where there are three or more of them in a row. */
export const onlyNew = (texts: readonly string[], before: readonly string[] = []): string => {
  const known = new Set(before.flatMap((text) => text.split('\n')))
  return texts
    .map((text) => {
      const lines = text.split('\n')
      const shown: string[] = []
      for (let at = 0; at < lines.length; ) {
        let end = at
        while (end < lines.length && known.has(lines[end]!)) end++
        if (end - at >= 3) shown.push(`  … ${end - at} lines as above`)
        else shown.push(...lines.slice(at, Math.max(end, at + 1)))
        at = Math.max(end, at + 1)
      }
      for (const line of lines) known.add(line)
      return shown.join('\n')
    })
    .join('\n')
}

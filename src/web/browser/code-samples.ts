// An API call as code in three languages. Used by the server, the browser and the tests.

export interface Call {
  method: string
  /** Complete URL with query. */
  url: string
  key?: string
  body?: Record<string, unknown>
}

export const languages = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]

export const codeSample = (language: Language, call: Call): string => samples[language](call)

const samples: Record<Language, (call: Call) => string> = {
  curl: ({ method, url, key, body }) => {
    const parts = [
      method === 'GET' ? 'curl' : `curl -X ${method}`,
      ...(key ? [`-H ${shell(`x-api-key: ${key}`)}`] : []),
      ...(body ? [`-H 'content-type: application/json'`, `-d ${shell(JSON.stringify(body))}`] : []),
      shell(url),
    ]
    return parts.join(' \\\n  ')
  },
  TypeScript: ({ method, url, key, body }) => {
    const headers = headersOf(key, body)
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}'`]),
      ...(headers.length > 0
        ? [`headers: { ${headers.map(([name, value]) => `'${name}': ${quoted(value)}`).join(', ')} }`]
        : []),
      ...(body ? [`body: JSON.stringify(${JSON.stringify(body)})`] : []),
    ]
    const rest = options.length > 0 ? `, {\n${options.map((line) => `  ${line},\n`).join('')}}` : ''
    return `const response = await fetch(${quoted(url)}${rest})\nconst body = await response.json()\nif (!response.ok) throw new Error(body.error)\nconsole.log(body)`
  },
  Python: ({ method, url, key, body }) => {
    const headers = headersOf(key, body)
    const options = [
      quoted(url),
      ...(body ? [`data=json.dumps(${python(body)}).encode()`] : []),
      ...(headers.length > 0
        ? [`headers={${headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')}}`]
        : []),
      ...(method === 'GET' ? [] : [`method=${quoted(method)}`]),
    ]
    return `import json\nfrom urllib.request import Request, urlopen\n\nrequest = Request(\n${options.map((line) => `    ${line},\n`).join('')})\nwith urlopen(request) as response:\n    body = json.load(response)\nprint(body)`
  },
}

const headersOf = (key: string | undefined, body: Call['body']): [string, string][] => [
  ...(key ? [['x-api-key', key] as [string, string]] : []),
  ...(body ? [['content-type', 'application/json'] as [string, string]] : []),
]

/** Inside single quotes a shell treats every character literally, except a single quote. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A JSON string is also a valid TypeScript and Python string. */
const quoted = (text: string): string => JSON.stringify(text)

const python = (value: unknown): string => {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, each]) => `${quoted(name)}: ${python(each)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

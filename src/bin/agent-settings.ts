// What the agent tools need from the environment. Apart from config.ts, because they run alone on a user's machine,
// where a stray PORT or DATABASE_URL is none of their business.

export interface AgentSettings {
  baseUrl: string
  apiKey?: string
}

export class AgentSettingsError extends Error {}

export const defaultApiBase = 'http://localhost:3000/api'

/** Never puts a value into an error: it may be the key, pasted into the wrong variable. */
export const agentSettings = (env: Record<string, string | undefined> = process.env): AgentSettings => {
  const baseUrl = env.LOTLINE_API_BASE?.trim() || defaultApiBase
  const apiKey = env.LOTLINE_API_KEY?.trim()
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new AgentSettingsError(`LOTLINE_API_BASE must be an http or https address, such as ${defaultApiBase}.`)
  if (new URL(baseUrl).username || new URL(baseUrl).password)
    throw new AgentSettingsError('LOTLINE_API_BASE must not hold a user or password; the key goes in LOTLINE_API_KEY.')
  if (apiKey && !/^[!-~]{1,200}$/.test(apiKey))
    throw new AgentSettingsError('LOTLINE_API_KEY holds characters that no key has; copy it again.')
  return apiKey ? { baseUrl, apiKey } : { baseUrl }
}

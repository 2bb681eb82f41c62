// The environment variables of the agent tools. Separate from config.ts, because the tools run alone on a user's machine,
// where an unrelated PORT or DATABASE_URL must not cause an error.
export class AgentSettingsError extends Error {}

export const defaultApiBase = 'http://localhost:3000/api'

/** Errors never contain the value: it may be the key, pasted into the wrong variable. */
export const agentSettings = (env: Record<string, string | undefined> = process.env) => {
  const baseUrl = env.LOTLINE_API_BASE?.trim() || defaultApiBase
  const apiKey = env.LOTLINE_API_KEY?.trim()
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new AgentSettingsError(`LOTLINE_API_BASE must be an http or https URL, for example ${defaultApiBase}.`)
  if (new URL(baseUrl).username || new URL(baseUrl).password)
    throw new AgentSettingsError(
      'LOTLINE_API_BASE must not contain a user or password. Put the key in LOTLINE_API_KEY.',
    )
  if (apiKey && !/^[!-~]{1,200}$/.test(apiKey))
    throw new AgentSettingsError('LOTLINE_API_KEY contains characters that no key has. Copy the key again.')
  return apiKey ? { baseUrl, apiKey } : { baseUrl }
}

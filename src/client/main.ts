// The exports of the published package.
export { type CallOptions, type Client, type ClientOptions, createClient, type ResponseInfo } from './client.ts'
export { LotlineError, type LotlineErrorCode, type RateLimit } from './error.ts'

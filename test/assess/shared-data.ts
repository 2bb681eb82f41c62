import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder of real exports, when this machine has it: it is never part of the repository. */
export const sharedData = (path: string): string | undefined =>
  [process.env.LOTLINE_SHARED_DATA, '../shared/data', '../../shared/data']
    .filter((folder) => folder !== undefined)
    .map((folder) => resolve(folder, path))
    .find((found) => existsSync(found))

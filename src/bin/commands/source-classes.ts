// `lotline sources classes`: how well the permit classes of a source agree with labels made by hand.
import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { messageOf } from '../../common/typed.ts'
import { tokenNamed } from '../../config.ts'
import { readSource } from '../../ingest/config.ts'
import { type ClassMeasure, measureClasses, readLabels, type Share } from '../../ingest/measure-classes.ts'
import { createHttp } from '../../sources/http.ts'
import { OperatorError } from '../operator-error.ts'
import { printing } from './arguments.ts'

export const sourceClassesCommand = (say: (line: string) => void): Command =>
  printing(
    new Command('classes')
      .description('Measure the permit classes of a source against rows labeled by hand.')
      .argument('<source>', 'source configuration file')
      .requiredOption('--labels <file>', 'CSV file with the lines "row,class" after a header; rows count from 1'),
    async (path: string, { labels }: { labels: string }) => {
      const measured = await measure(path, labels)
      return { json: measured, text: measureLines(measured) }
    },
    { say },
  )

const measure = async (path: string, labelsPath: string): Promise<ClassMeasure[]> => {
  const { config, folder } = await readSource(path)
  if (config.holds !== 'permits')
    throw new OperatorError(`${path} holds ${config.holds}; classes are measured on permits.`)
  const labels = readLabels(await readFile(labelsPath, 'utf8'))
  const http = createHttp()
  try {
    const token = config.where.tokenEnv && tokenNamed(config.where.tokenEnv)
    return await measureClasses(config, labels, { http, folder, now: new Date(), ...(token ? { token } : {}) })
  } catch (cause) {
    throw new OperatorError(messageOf(cause), { cause })
  } finally {
    await http.close()
  }
}

const measureLines = (measured: readonly ClassMeasure[]): string[] => [
  'class                    labeled  precision (95% interval, permits)   recall (95% interval, permits)',
  ...measured
    .filter(({ labeled, precision }) => labeled > 0 || precision.of > 0)
    .map(
      ({ permitClass, labeled, precision, recall }) =>
        `${permitClass.padEnd(24)} ${String(labeled).padStart(7)}  ${shareText(precision).padEnd(34)} ${shareText(recall)}`,
    ),
  ...[...new Map(measured.flatMap(({ errors }) => errors.map((error) => [error.row, error] as const))).values()].map(
    ({ row, labeled, classified, words }) =>
      `  row ${row}: labeled ${labeled}, classified ${classified}${words.length > 0 ? ` for "${words.join('", "')}"` : ''}`,
  ),
]

const shareText = ({ share, of, low, high }: Share): string =>
  share === undefined
    ? 'none'
    : `${(100 * share).toFixed(1)}% (${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}%, ${of})`

// What the agent tools say: the same numbers as the API, homes that can be bought first, and that sample data is generated.
import type { AgentText } from './records.ts'
import { dollars, marketRules, propertyRules, unless, unlessAll } from './rule.ts'
import { isForSale } from './service-rules.ts'

/** A line of an answer such as "teardown score: 73". */
const lineOf = (text: string, name: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`${name}: `))

const percentOf = (amount: number | undefined) => (amount === undefined ? undefined : `${amount}%`)
const dollarsOf = (amount: number | undefined) => (amount === undefined ? undefined : dollars(amount))

const saysGenerated = ({ text }: AgentText): boolean => /generated sample data/i.test(text)

export const agentRules = [
  ...propertyRules({
    'agent-property: Agent tools state the scores, returns, value and verdict of the API.': ({ agent, detail }) => {
      const text = agent?.property?.text
      if (text === undefined) return []
      const { intelligence: { teardownScore, flippabilityScore, returnPct, developerROI, proformaROI } = {} } = detail
      const stated: readonly (readonly [name: string, value: string | undefined])[] = [
        ['decision', detail.verdict],
        ['price', dollarsOf(detail.price)],
        ['teardown score', teardownScore?.toString()],
        ['flip score', flippabilityScore?.toString()],
        ['return after contingency and financing', percentOf(returnPct)],
        ['return, adjusted toward the market average', percentOf(developerROI)],
        ['return before contingency and financing', percentOf(proformaROI)],
        ['value estimate', dollarsOf(detail.intelligence?.valueEstimate?.value)],
      ]
      return [
        ...stated.flatMap(([name, value]) =>
          unless(
            value === undefined || lineOf(text, name) === `${name}: ${value}`,
            `the agent says “${lineOf(text, name) ?? 'nothing'}” of the ${name}, which is ${value}`,
          ),
        ),
        ...unlessAll({
          'the agent states an amount as points without a unit': !/[+-]\d{5,}(?![\d,])/.test(text),
        }),
      ]
    },
    'agent-pro-forma: Agent tools state the maximum offer of the API, and their stress table shows what a delay costs.':
      ({ agent, whatIf }) => {
        const text = agent?.proforma?.text
        if (text === undefined || whatIf === undefined) return []
        const offer = whatIf.maximumOffer?.price
        const target = 'maximum offer for the target return'
        const stress = text.slice(Math.max(0, text.indexOf('\nStress\n')))
        return unlessAll({
          [`the agent says “${lineOf(text, target) ?? 'nothing'}”; the maximum offer is ${dollars(offer)}`]:
            offer === undefined || offer <= 0 || lineOf(text, target) === `${target}: ${dollars(offer)}`,
          'the stress table of the agent leaves out the return after financing, so a delay changes nothing in it':
            !whatIf.stress?.length || /return after financing/.test(stress),
        })
      },
    'agent-sample-text: Agent answers on generated data say so.': ({ sampleOnly, agent }) =>
      Object.entries(agent ?? {}).flatMap(([name, answer]) =>
        unless(
          !sampleOnly || !answer || saysGenerated(answer),
          `the agent’s answer about the ${name} does not say that it is generated sample data`,
        ),
      ),
  }),
  ...marketRules({
    'agent-lists: Agent tools list homes that can be bought, the highest-ranked first.': (record) => {
      const { agentLists: lists = [], signals } = record
      const statusOf = new Map(signals.map(({ id, status }) => [id, status]))
      const order = signals.filter(({ status }) => isForSale(status)).map(({ id }) => id)
      return lists.flatMap(({ tool, ids }) => {
        const taken = ids.filter((id) => !isForSale(statusOf.get(id)))
        const ranked = tool === 'list_market_signals' || tool === 'find_properties'
        return unlessAll({
          [`${taken.length} of the ${ids.length} homes of ${tool} cannot be bought`]: taken.length === 0,
          [`${tool} does not list the highest-ranked first`]: !ranked || ids.every((id, at) => id === order[at]),
        })
      })
    },
    'agent-sample-lists: Agent lists of generated data say so.': ({ sampleOnly, agentLists: lists = [] }) =>
      lists.flatMap((list) =>
        unless(
          !sampleOnly || list.ids.length === 0 || saysGenerated(list),
          `${list.tool} does not say that it lists generated sample data`,
        ),
      ),
  }),
]

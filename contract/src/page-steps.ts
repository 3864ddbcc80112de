import { z } from 'zod';
import { LIMITS, STOP } from './limits.js';
import type { N8nField } from './operation.js';
import { parseWebAddress } from './parse-url.js';

/**
 * Returns the schema of a selector in Playwright's syntax. Whether the selector is valid is known only when its step
 * runs.
 */
const selector = (what: string) =>
  z.string().min(1).max(LIMITS.selectorCharacters.max, STOP).optional().describe(what);

/**
 * Matches a key: one character, or a name that begins with a capital letter, such as "Enter". Modifiers such as
 * "Control+" may precede it.
 */
const KEY = /^(?:(?:Alt|Control|Meta|Shift)\+)*(?:[A-Z][A-Za-z\d]+|[^\p{Cc}\p{Cs}])$/u;

const ACTIONS = [
  'click',
  'fill',
  'press',
  'select',
  'hover',
  'scrollTo',
  'waitForSelector',
  'waitMs',
  'goto',
] as const;

/** The actions that need "value". No other action may have it. */
const WITH_VALUE: ReadonlySet<string> = new Set(['fill', 'select']);

const step = z
  .strictObject({
    click: selector('The selector of the element to click.'),
    fill: selector('The selector of the field to fill with "value".'),
    press: z
      .string()
      .max(LIMITS.stepKeyCharacters.max, STOP)
      .regex(KEY, 'must be a key by its name in KeyboardEvent.key, such as "Enter" or "Control+a"')
      .optional()
      .describe('The key to press, by its name in KeyboardEvent.key, such as "Enter".'),
    select: selector('The selector of the list to choose the entry "value" from, by its value or its text.'),
    value: z
      .string()
      .max(LIMITS.stepValueCharacters.max, STOP)
      .optional()
      .describe('The text for "fill", or the entry for "select".')
      .meta({ format: 'password' }),
    hover: selector('The selector of the element to move the mouse to.'),
    scrollTo: selector('The selector of the element to scroll into view.'),
    waitForSelector: selector('The selector of an element to wait for until it is visible.'),
    waitMs: z.int().min(0).max(LIMITS.waitMs.max).optional().describe('How long to wait, in milliseconds.'),
    goto: z
      .string()
      .max(LIMITS.urlCharacters.max, STOP)
      .refine((text) => parseWebAddress(text) !== undefined, {
        error: 'must be a whole http or https address such as "https://example.com/page"',
        abort: true,
      })
      .overwrite((text) => parseWebAddress(text)?.href ?? text)
      .optional()
      .describe('The address to go to, http or https.'),
  })
  .superRefine((step, context) => {
    const actions = ACTIONS.filter((name) => step[name] !== undefined);
    const [action] = actions;
    if (actions.length !== 1 || action === undefined) {
      const message = `must have exactly one of ${ACTIONS.map((name) => `"${name}"`).join(', ')}`;
      context.addIssue({ code: 'custom', message, input: step });
      return;
    }
    const needsValue = WITH_VALUE.has(action);
    if (needsValue === (step.value !== undefined)) return;
    const message = needsValue
      ? `must be given with "${action}"`
      : 'must be left out without "fill" or "select"';
    context.addIssue({ code: 'custom', path: ['value'], message, input: step.value });
  });

export type PageStep = z.output<typeof step>;

/** The field for actions on the page before it is captured, such as signing in. */
export const pageSteps = {
  steps: z
    .array(step)
    .min(1)
    .max(LIMITS.steps.max, STOP)
    .optional()
    .describe(
      `Steps to do on the loaded page before it is captured, such as signing in, at most ${LIMITS.steps.max}. Each has one of "click", "fill" with "value", "press", "select" with "value", "hover", "scrollTo", "waitForSelector", "waitMs" and "goto". Selectors are Playwright's, such as "#name", "text=Sign in" or "role=button[name='Sign in']".`,
    )
    .meta({
      examples: [
        [
          { fill: '#email', value: 'reader@example.com' },
          { fill: '#password', value: 'a1b2c3' },
          { click: 'role=button[name="Sign in"]' },
        ],
      ],
    }),
};

const SELECTOR = { displayName: 'Selector' };

/** How n8n shows steps: each with a choice of its action. */
export const STEPS_IN_N8N = {
  hasEntries: true,
  description: `What to do on the loaded page before it is captured, such as signing in, in at most ${LIMITS.steps.max} steps. Selectors are those of Playwright, such as #name or text=Sign in. For {username} and {password} in a value, the node takes those of a Basic Auth credential. All other values are stored in the workflow, and are shared or exported with it.`,
  alternatives: Object.fromEntries(ACTIONS.map((name) => [name, WITH_VALUE.has(name) ? ['value'] : []])),
  choices: {
    click: 'Click an element',
    fill: 'Fill a field with a value',
    press: 'Press a key',
    select: 'Choose an entry of a list',
    hover: 'Move the mouse to an element',
    scrollTo: 'Scroll an element into view',
    waitForSelector: 'Wait until an element is visible',
    waitMs: 'Wait for some time',
    goto: 'Go to another address',
  },
  parts: {
    click: SELECTOR,
    fill: SELECTOR,
    press: { displayName: 'Key' },
    select: SELECTOR,
    value: {
      description:
        'The text to fill in, or the entry of the list to choose. For {username} and {password}, the node takes those of a Basic Auth credential.',
      hint: 'Stored in the workflow as it is: use {username} and {password} of a Basic Auth credential',
    },
    hover: SELECTOR,
    scrollTo: SELECTOR,
    waitForSelector: SELECTOR,
    waitMs: { default: 1_000 },
    goto: { displayName: 'URL' },
  },
} as const satisfies N8nField;

/**
 * Rejects steps beside "clickSelectors", because a step can click too, or beside "maxAgeSeconds" above 0, which would
 * cache their result.
 */
export function checkPageSteps(
  request: {
    readonly steps?: readonly PageStep[] | undefined;
    readonly clickSelectors?: readonly string[] | undefined;
    readonly maxAgeSeconds: number;
  },
  context: z.RefinementCtx,
): void {
  const { steps, clickSelectors, maxAgeSeconds } = request;
  if (steps === undefined) return;
  const addIssue = (message: string) =>
    context.addIssue({ code: 'custom', path: ['steps'], message, input: steps });
  if (clickSelectors !== undefined)
    addIssue('must be left out if "clickSelectors" is given: click with a step');
  if (maxAgeSeconds > 0)
    addIssue('must be left out if "maxAgeSeconds" is given, because what steps lead to is not kept');
}

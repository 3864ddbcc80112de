import { CodeBlock } from '../layout/copyable.js';
import { type Call, curlCode, javaScriptCode, pythonCode } from './request-code.js';
import { mcpCode, n8nCode } from './workflow-code.js';

interface Language {
  readonly name: string;
  readonly label: string;
  readonly write: (call: Call) => string | undefined;
}

export const PROGRAMS: readonly Language[] = [
  { name: 'curl', label: 'curl', write: curlCode },
  { name: 'javascript', label: 'JavaScript', write: javaScriptCode },
  { name: 'python', label: 'Python', write: pythonCode },
];
export const ALL_LANGUAGES: readonly Language[] = [
  ...PROGRAMS,
  { name: 'n8n', label: 'n8n', write: n8nCode },
  { name: 'mcp', label: 'MCP', write: mcpCode },
];

interface CodeTabsProps {
  readonly id: string;
  readonly call: Call;
  readonly languages: readonly Language[];
}

/**
 * The code of a call in several languages, of which the chosen one is shown. Choosing needs no script. A language that
 * cannot express the call is left out.
 */
export function CodeTabs({ id, call, languages }: CodeTabsProps) {
  const { operation } = call;
  const tabs = languages.flatMap(({ name, label, write }) => {
    const code = write(call);
    return code === undefined ? [] : [{ name, label, code }];
  });
  return (
    <div class="code-tabs">
      <fieldset>
        <legend class="visually-hidden">Language of “{operation.title}”</legend>
        {tabs.map(({ name, label }, index) => (
          <span class="tab">
            <input
              type="radio"
              id={`${id}-in-${name}`}
              name={`${id}-language`}
              value={name}
              checked={index === 0}
              data-language=""
            />
            <label for={`${id}-in-${name}`}>{label}</label>
          </span>
        ))}
      </fieldset>
      {tabs.map(({ name, label, code }) => (
        <div class={`code-panel in-${name}`}>
          <CodeBlock id={`${id}-${name}`} label={`“${operation.title}” in ${label}`} code={code} />
        </div>
      ))}
    </div>
  );
}

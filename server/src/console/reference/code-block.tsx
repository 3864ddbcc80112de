interface CodeBlockProps {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** Code to be read and copied; the button shows only where scripts run. */
export function CodeBlock({ id, label, code }: CodeBlockProps) {
  return (
    <div class="code-block">
      <pre id={id} tabindex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <button type="button" class="small" data-copy={id} hidden>
        Copy<span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}

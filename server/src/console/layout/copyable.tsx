interface SecretValueProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

/** A visible value with a copy button. The button shows only if scripts run. */
export function CopyValue({ id, label, value }: SecretValueProps) {
  return (
    <div class="copy">
      <code id={id} class="value" tabindex={0} aria-label={label}>
        {value}
      </code>
      <button type="button" class="small" data-copy={id} hidden>
        Copy<span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}

/** A secret that is hidden until revealed. It can be copied without being revealed. */
export function HiddenValue({ id, label, value }: SecretValueProps) {
  return (
    <div class="secret">
      <details>
        <summary>
          Show <span>{label}</span>
        </summary>
        <code id={id} class="value" tabindex={0} aria-label={label}>
          {value}
        </code>
      </details>
      <button type="button" class="small" data-copy={id} hidden>
        Copy<span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}

interface CodeBlockProps {
  readonly id: string;
  readonly label: string;
  readonly code: string;
  /** The name of the file under which it can be downloaded; missing if it cannot. */
  readonly fileName?: string;
}

/** A block of code with buttons to copy and download it. The buttons show only if scripts run. */
export function CodeBlock({ id, label, code, fileName }: CodeBlockProps) {
  return (
    <div class="code-block">
      <pre id={id} tabindex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <div class="code-actions">
        <button type="button" class="small" data-copy={id} hidden>
          Copy<span class="visually-hidden"> {label}</span>
        </button>
        {fileName === undefined ? null : (
          <button type="button" class="small" data-copy={id} data-file={fileName} hidden>
            Download<span class="visually-hidden"> {label}</span>
          </button>
        )}
      </div>
    </div>
  );
}

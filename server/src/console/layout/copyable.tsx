interface CopyButtonsProps {
  readonly id: string;
  readonly label: string;
  /** The file name under which the value can be downloaded; without one, it can only be copied. */
  readonly fileName?: string | undefined;
}

interface SecretValueProps extends Pick<CopyButtonsProps, 'id' | 'label'> {
  readonly value: string;
}

/** Buttons that copy a value and, if there is a file name, download it. They show only if scripts run. */
const CopyButtons = ({ id, label, fileName }: CopyButtonsProps) => (
  <>
    <button type="button" class="small" data-copy={id} hidden>
      Copy<span class="visually-hidden"> {label}</span>
    </button>
    {fileName === undefined ? null : (
      <button type="button" class="small" data-copy={id} data-file={fileName} hidden>
        Download<span class="visually-hidden"> {label}</span>
      </button>
    )}
  </>
);

/** A visible value with a button to copy it and, if it has a file name, a button to download it. */
export const CopyValue = ({ id, label, value, fileName }: SecretValueProps & CopyButtonsProps) => (
  <div class="copy">
    <code id={id} class="value" tabindex={0} aria-label={label}>
      {value}
    </code>
    <CopyButtons id={id} label={label} fileName={fileName} />
  </div>
);

/** A secret that is hidden until revealed. It can be copied without being revealed. */
export const HiddenValue = ({ id, label, value }: SecretValueProps) => (
  <div class="secret">
    <details>
      <summary>
        Show <span>{label}</span>
      </summary>
      <code id={id} class="value" tabindex={0} aria-label={label}>
        {value}
      </code>
    </details>
    <CopyButtons id={id} label={label} />
  </div>
);

interface CodeBlockProps extends CopyButtonsProps {
  readonly code: string;
}

export const CodeBlock = ({ id, label, code, fileName }: CodeBlockProps) => (
  <div class="code-block">
    <pre id={id} tabindex={0} role="region" aria-label={label}>
      <code>{code}</code>
    </pre>
    <div class="code-actions">
      <CopyButtons id={id} label={label} fileName={fileName} />
    </div>
  </div>
);

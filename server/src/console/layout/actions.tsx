type Look = 'main' | 'secondary' | 'destructive';

/** The path of a link, its label and its look. */
export type Action = readonly [path: string, label: string, look?: Look];

/** Links that look like buttons, in a row. False is left out. */
export const Actions = ({ links }: { readonly links: readonly (Action | false)[] }) => (
  <p class="actions">
    {links
      .filter((link) => link !== false)
      .map(([path, label, look = 'secondary']) => (
        <a class={look === 'main' ? 'button' : `button ${look}`} href={path}>
          {label}
        </a>
      ))}
  </p>
);

import type { ComponentChildren } from 'preact';

/** A name and its value; left out if the value is false. */
export type Fact = readonly [name: string, value: ComponentChildren];

const shownOf = (facts: readonly Fact[]) => facts.filter(([, value]) => value !== false);

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">{shownOf(facts).map(([name, value]) => [<dt>{name}</dt>, <dd>{value}</dd>])}</dl>
);

/** Figures, each with its label below. With `areSmall`, more of them fit beside each other. */
export const Figures = ({ figures, areSmall = false }: { figures: readonly Fact[]; areSmall?: boolean }) => (
  <dl class={areSmall ? 'figures usage-figures' : 'figures'}>
    {shownOf(figures).map(([label, value]) => (
      <div>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

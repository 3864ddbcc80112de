import type { ComponentChildren } from 'preact';

export interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading, set off from the others. */
export const Card = ({ id, title, class: name = 'card', children }: CardProps) => (
  <section class={name} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

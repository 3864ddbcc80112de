import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading, set off from the others. */
export const Card = ({ id, title, children }: CardProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** The order of a list. The database sorts it. */
export interface Sort<By extends string = string> {
  readonly by: By;
  readonly isDescending: boolean;
}

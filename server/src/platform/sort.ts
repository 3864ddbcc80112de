/** In which order a list comes; the engine of the database sorts it. */
export interface Sort<By extends string = string> {
  readonly by: By;
  readonly isDescending: boolean;
}

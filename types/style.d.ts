// A style sheet, which the bundler gives as its text.
declare module "*.css" {
  const text: string;
  export default text;
}

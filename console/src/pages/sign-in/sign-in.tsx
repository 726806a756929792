export default function SignIn() {
  return <p />
}

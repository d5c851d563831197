// A provider of OpenID Connect with one client and the library's own pages, in which any name and password sign in.
// Arguments: its port, and the address to which it sends people back. It writes a line once it listens.
import { Provider } from "oidc-provider";

const [port, back] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: "arena", client_secret: "a secret of the provider", redirect_uris: [back] }],
  claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: `${id} of Genoa`, email: `${id}@id.example` }),
  }),
  cookies: { keys: ["a key of a test"] },
  pkce: { required: () => true },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));

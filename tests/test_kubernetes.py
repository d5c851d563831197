"""The manifests in `deploy/kubernetes.yaml` agree with each other, with the image and with the server."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from farfalia_server import PREFIX
from farfalia_server.cli import app
from farfalia_server.settings import Settings
from farfalia_server.settings_loading import load

ROOT = Path(__file__).resolve().parents[1]
Manifest = dict[str, Any]


@pytest.fixture
def manifests() -> dict[str, Manifest]:
    found = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text()))
    return {manifest["kind"]: manifest for manifest in found if manifest["metadata"]["name"] == "farfalia"}


@pytest.fixture
def host() -> dict[str, Manifest]:
    """What belongs to hosts."""
    found = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text()))
    return {manifest["kind"]: manifest for manifest in found if manifest["metadata"]["name"] == "farfalia-host"}


@pytest.fixture
def host_pod(host: dict[str, Manifest]) -> Manifest:
    spec: Manifest = host["Deployment"]["spec"]["template"]["spec"]
    return spec


@pytest.fixture
def pod(manifests: dict[str, Manifest]) -> Manifest:
    template: Manifest = manifests["StatefulSet"]["spec"]["template"]
    return template


@pytest.fixture
def container(pod: Manifest) -> Manifest:
    [one] = pod["spec"]["containers"]
    assert isinstance(one, dict)
    return one


def test_what_a_server_needs_is_there(manifests: dict[str, Manifest]) -> None:
    assert manifests.keys() == {"ConfigMap", "Secret", "Service", "StatefulSet", "PodDisruptionBudget"}


def test_every_setting_is_one_and_all_of_them_are_valid(manifests: dict[str, Manifest]) -> None:
    given = {**manifests["ConfigMap"]["data"], **manifests["Secret"]["stringData"]}
    settings = {name.removeprefix(PREFIX).lower(): value for name, value in given.items()}
    assert {name for name in given if not name.startswith(PREFIX)} == set()
    assert settings.keys() <= Settings.model_fields.keys()
    load(settings)
    secret = {name for name, field in Settings.model_fields.items() if not field.repr}
    assert not {name for name in manifests["ConfigMap"]["data"] if name.removeprefix(PREFIX).lower() in secret}


def test_there_is_one_server(manifests: dict[str, Manifest]) -> None:
    assert manifests["StatefulSet"]["spec"]["replicas"] == 1


def test_everything_selects_the_same_pod(manifests: dict[str, Manifest], pod: Manifest) -> None:
    labels = pod["metadata"]["labels"]
    assert manifests["Service"]["spec"]["selector"] == labels
    assert manifests["StatefulSet"]["spec"]["selector"]["matchLabels"] == labels
    assert manifests["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert manifests["StatefulSet"]["spec"]["serviceName"] == manifests["Service"]["metadata"]["name"]


def test_ports_are_those_of_the_server(manifests: dict[str, Manifest], container: Manifest, pod: Manifest) -> None:
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    fields = Settings.model_fields
    assert ports == {"grpc": fields["grpc_port"].default, "pages": fields["http_port"].default}
    service = manifests["Service"]["spec"]["ports"]
    assert {port["targetPort"]: port["port"] for port in service} == ports
    assert pod["metadata"]["annotations"]["prometheus.io/port"] == str(ports["pages"])
    data = manifests["ConfigMap"]["data"]
    assert data["FARFALIA_PUBLIC_ADDRESS"].endswith(f":{ports['grpc']}")
    assert data["FARFALIA_PUBLIC_URL"].endswith(f":{ports['pages']}")


def test_probes_ask_the_pages_port_over_tls(container: Manifest) -> None:
    paths = {}
    for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[kind]["httpGet"]
        assert (asked["port"], asked["scheme"]) == ("pages", "HTTPS")
        paths[kind] = asked["path"]
    # A server must not be killed because its database is unreachable.
    assert paths == {"startupProbe": "/healthz", "readinessProbe": "/healthz", "livenessProbe": "/livez"}


def test_a_server_has_as_long_to_stop_as_everywhere_else(pod: Manifest) -> None:
    assert pod["spec"]["terminationGracePeriodSeconds"] == 120
    for file, words in (("deploy/farfalia.service", "TimeoutStopSec=2min"), ("docker-compose.yml", "period: 2m")):
        assert words in (ROOT / file).read_text()
    assert Settings.model_fields["drain_ms"].default < 120_000


def test_the_pod_has_what_it_mounts_and_the_image_is_its_user_s(
    manifests: dict[str, Manifest], pod: Manifest, container: Manifest
) -> None:
    volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
    volumes |= {claim["metadata"]["name"] for claim in manifests["StatefulSet"]["spec"]["volumeClaimTemplates"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts.keys() == volumes
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"FARFALIA_DATA_DIR={mounts['data']}" in dockerfile
    assert f"--uid {pod['spec']['securityContext']['runAsUser']} " in dockerfile
    data = manifests["ConfigMap"]["data"]
    for name in ("FARFALIA_TLS_CERT", "FARFALIA_TLS_KEY"):
        assert data[name].startswith(f"{mounts['tls']}/tls.")


def test_variables_that_kubernetes_makes_itself_do_not_reach_the_server(pod: Manifest) -> None:
    assert pod["spec"]["enableServiceLinks"] is False


def test_names_that_are_referred_to_are_there(manifests: dict[str, Manifest], container: Manifest) -> None:
    for source in container["envFrom"]:
        for kind, key in (("ConfigMap", "configMapRef"), ("Secret", "secretRef")):
            if key in source:
                assert source[key]["name"] == manifests[kind]["metadata"]["name"]


def policy(name: str) -> Manifest:
    """A policy for networks."""
    found = yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text())
    [spec] = [one["spec"] for one in found if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == name]
    assert isinstance(spec, dict)
    return spec


def test_every_manifest_belongs_to_the_server_or_to_hosts_or_closes_a_border() -> None:
    found = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text()))
    assert {one["metadata"]["name"] for one in found} == {"farfalia", "farfalia-back", "farfalia-host"}
    assert len({(one["kind"], one["metadata"]["name"]) for one in found}) == len(found)


def test_what_hosts_need_is_there_and_selects_their_pods_alone(host: dict[str, Manifest], pod: Manifest) -> None:
    assert host.keys() == {"Secret", "Deployment", "NetworkPolicy"}
    spec = host["Deployment"]["spec"]
    labels = spec["template"]["metadata"]["labels"]
    assert spec["selector"]["matchLabels"] == labels == host["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    assert labels != pod["metadata"]["labels"]


def test_a_host_is_called_with_options_that_there_are_and_with_its_token_alone(host_pod: Manifest) -> None:
    [container] = host_pod["containers"]
    command, *words = container["args"]
    options = {option for one in get_command(app).commands[command].params for option in one.opts}  # type: ignore[attr-defined]
    assert {word for word in words if word.startswith("--")} <= options
    assert {one["name"] for one in container["env"]} == {"FARFALIA_SERVER", "FARFALIA_HOST_TOKEN"}
    assert "envFrom" not in container  # the admin token and the passwords are there


def test_a_host_finds_the_server_by_its_service_and_the_token_in_its_secret(
    manifests: dict[str, Manifest], host: dict[str, Manifest], host_pod: Manifest
) -> None:
    values = {one["name"]: one for one in host_pod["containers"][0]["env"]}
    service = manifests["Service"]
    ports = {port["name"]: port["port"] for port in service["spec"]["ports"]}
    assert values["FARFALIA_SERVER"]["value"] == f"https://{service['metadata']['name']}:{ports['grpc']}"
    reference = values["FARFALIA_HOST_TOKEN"]["valueFrom"]["secretKeyRef"]
    assert reference["name"] == host["Secret"]["metadata"]["name"]
    assert host["Secret"]["stringData"] == {reference["key"]: ""}


def test_a_host_has_no_rights_but_those_to_make_sandboxes(host_pod: Manifest) -> None:
    assert host_pod["automountServiceAccountToken"] is False
    assert host_pod["enableServiceLinks"] is False
    assert host_pod["hostUsers"] is False
    assert host_pod["securityContext"]["runAsNonRoot"] is True
    [container] = host_pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "procMount": "Unmasked",
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"].keys() == {"cpu", "memory", "ephemeral-storage"}
    assert {mount["name"] for mount in container["volumeMounts"]} == {one["name"] for one in host_pod["volumes"]}
    assert all(one["emptyDir"]["sizeLimit"] for one in host_pod["volumes"])


def test_a_host_reaches_the_server_s_port_and_names_and_nobody_reaches_a_host(
    manifests: dict[str, Manifest], container: Manifest
) -> None:
    spec = policy("farfalia-host")
    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in spec
    server, names = spec["egress"]
    grpc = {port["name"]: port["containerPort"] for port in container["ports"]}["grpc"]
    assert server["ports"] == [{"protocol": "TCP", "port": grpc}]
    assert server["to"] == [{"podSelector": {"matchLabels": manifests["Service"]["spec"]["selector"]}}]
    assert {port["port"] for port in names["ports"]} == {53}


def test_redis_and_the_database_are_reached_by_the_server_alone(manifests: dict[str, Manifest]) -> None:
    spec = policy("farfalia-back")
    assert spec["policyTypes"] == ["Ingress"]
    server = {"podSelector": {"matchLabels": manifests["Service"]["spec"]["selector"]}}
    assert spec["ingress"] == [{"from": [server]}]

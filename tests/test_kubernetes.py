"""The manifests in `deploy/kubernetes.yaml` agree with each other, with the image and with the server."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from farfalia_server import PREFIX
from farfalia_server.settings import Settings, load

ROOT = Path(__file__).resolve().parents[1]
Manifest = dict[str, Any]


@pytest.fixture
def manifests() -> dict[str, Manifest]:
    found = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text()))
    assert {manifest["metadata"]["name"] for manifest in found} == {"farfalia"}
    return {manifest["kind"]: manifest for manifest in found}


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
